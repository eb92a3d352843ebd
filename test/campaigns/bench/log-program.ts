/*
 * What reads a whole log: replaying it, auditing it, exporting it, and beside that the least that one can do with the file,
 * which is to read it and to parse its lines. Each in a process of its own, so that its memory can be told.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { once } from 'node:events'
import type * as NodeDigest from '../../../adapters/digest/node-digest.ts'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import type * as NodeSignatures from '../../../adapters/signatures/node-signatures.ts'
import type * as SqliteStore from '../../../adapters/store-sqlite/open.ts'
import type * as Audit from '../../../core/audit/audit.ts'
import type * as Transcript from '../../../core/log/transcript.ts'
import type * as TranscriptReader from '../../../core/log/transcript-reader.ts'
import type * as Catalogues from '../../../core/definition/catalogue.ts'
import type { Resource } from '../../../core/definition/resource.ts'
import type * as PublicApi from '../../../core/resources/public-api.ts'
import type { SignatureClaim } from '../../../core/ports/signatures.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import type * as Replay from '../../../core/projection/replay.ts'
import { built } from './built.ts'
import { doJobs } from './child.ts'
import { timed, type Read } from './timed.ts'

const { nodeDigest } = await built<typeof NodeDigest>('adapters/digest/node-digest')
const { nodeSignatures } = await built<typeof NodeSignatures>('adapters/signatures/node-signatures')
const { openSqliteStore } = await built<typeof SqliteStore>('adapters/store-sqlite/open')
const { audit } = await built<typeof Audit>('core/audit/audit')
const { exportLines, pagesOf } = await built<typeof Transcript>('core/log/transcript')
const { readTranscript } = await built<typeof TranscriptReader>('core/log/transcript-reader')
const { catalogue } = await built<typeof Catalogues>('core/definition/catalogue')
const { publicApi } = await built<typeof PublicApi>('core/resources/public-api')
const { replayOrganization } = await built<typeof Replay>('core/projection/replay')

// It is made of what was built of the source with this type.
const { notes } = (await import(new URL('./notes.ts', import.meta.url).href)) as { readonly notes: Resource }

const operations = ((): Catalogues.Catalogue => {
  const known = catalogue([...publicApi, notes])
  if (E.isLeft(known)) throw new Error(known.left.message)
  return known.right
})()

const reading = async <A>(path: string, use: (storage: Storage) => Promise<A>): Promise<A> => {
  const storage = await openSqliteStore({ path, readOnly: true })()
  if (E.isLeft(storage)) throw new Error(storage.left.message)
  try {
    return await use(storage.right)
  } finally {
    await storage.right.readModels.close()
    await storage.right.store.close()
  }
}

/** Told how much was read, seldom enough to cost nothing. */
type Passed = (done: number) => void

const seldom = (passed: Passed): Passed => {
  let told = 0
  return (done) => {
    if (done - told < SELDOM) return
    told = done
    passed(done)
  }
}

const SELDOM = 50_000

/** As `countersign replay --organization`. */
const replay = (
  { path, organizationId }: { readonly path: string; readonly organizationId: string },
  passed: Passed,
): Promise<Read> =>
  reading(path, ({ store }) =>
    timed(async () => {
      const tell = seldom(passed)
      const onProgress = (position: bigint): void => tell(Number(position))
      const replayed = await replayOrganization(store, operations, organizationId, { onProgress })()
      if (E.isLeft(replayed)) throw new Error(replayed.left.message)
      return replayed.right.events
    }),
  )

const exportTo = ({ path, file }: { readonly path: string; readonly file: string }, passed: Passed): Promise<Read> =>
  reading(path, ({ store }) =>
    timed(async () => {
      const out = createWriteStream(file)
      const tell = seldom(passed)
      let pages = 0
      for await (const chunk of exportLines(nodeDigest(), pagesOf(store, { pageEvents: PAGE }))) {
        if (E.isLeft(chunk)) throw new Error(chunk.left.message)
        pages += 1
        tell(pages * PAGE)
        if (!out.write(chunk.right)) await once(out, 'drain')
      }
      out.end()
      await once(out, 'finish')
      return 0
    }),
  )

const PAGE = 1000

const LINE_FEED = 0x0a

/** Reads the file and parses every line of an event, and nothing more. */
const parse = ({ file }: { readonly file: string }, passed: Passed): Promise<Read> =>
  timed(async () => {
    const tell = seldom(passed)
    let rest = Buffer.alloc(0)
    let events = 0
    for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
      const bytes = Buffer.concat([rest, chunk as Buffer]) // no encoding is set
      let start = 0
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
        const value = JSON.parse(bytes.toString('utf8', start, end)) as object // an export has objects
        if ('sequence' in value) events += 1
        start = end + 1
      }
      rest = bytes.subarray(start)
      tell(events)
    }
    return events
  })

/** As `countersign audit FILE`; counts stamps. */
const auditFile = ({ file }: { readonly file: string }, passed: Passed): Promise<Read> =>
  timed(async () => {
    const tell = seldom(passed)
    const onProgress = (lines: number): void => tell(lines / LINES_EACH)
    const entries = readTranscript(nodeDigest(), createReadStream(file, { highWaterMark: 256 * 1024 }))
    const report = await audit({ signatures: nodeSignatures(), ids: nodeIds(), catalogue: operations }, entries, {
      onProgress,
    })
    if (report.findings.length > 0) throw new Error(`the audit found ${report.findings[0]?.code}`)
    return report.counts.stamps
  })

/** An activity of the bench has two events and a part. */
const LINES_EACH = 3

const IN_FLIGHT = 256

/** Only verifies, as many at once as the audit does. */
const verify = (
  { claim, count }: { readonly claim: SignatureClaim; readonly count: number },
  passed: Passed,
): Promise<Read> =>
  timed(async () => {
    const signatures = nodeSignatures()
    const tell = seldom(passed)
    let left = count
    const worker = async (): Promise<void> => {
      while (left-- > 0) {
        if (!(await signatures.verify(claim))) throw new Error('not verified')
        tell(count - left)
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
    return count
  })

doJobs({ replay, exportTo, parse, auditFile, verify })
