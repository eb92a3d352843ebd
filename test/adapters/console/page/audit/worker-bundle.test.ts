import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { auditFile } from '../../../../../adapters/console/page/audit/audit-file.ts'
import { exported } from '../../../../core/audit/logs.ts'
import { makeChainKeys } from '../../../../core/resources/signing/signing-keys.ts'
import { ethereumHex, signing, solanaHex, tempoHex } from '../../../../core/resources/signing/transaction-requests.ts'
import { transfer } from '../../../../core/transaction/solana-transactions.ts'
import { world } from '../../../../core/world/world.ts'
import { FOR_BROWSERS } from '../../../../package/bundle-console.ts'
import { temporaryFolder } from '../../../../temporary-folder.ts'

const it = suite('the bundle of the audit in the page')

const bundled = (entry: string) =>
  build({
    ...FOR_BROWSERS,
    entryPoints: [`adapters/console/page/audit/${entry}`],
    write: false,
    metafile: true,
    logLevel: 'silent',
  })

it('has nothing of Node, and none of the optional packages', async () => {
  const { metafile, outputFiles, warnings } = await bundled('audit-worker.ts')
  assert.equal(warnings, [])
  assert.equal(
    Object.values(metafile.outputs).flatMap(({ imports }) => imports),
    [],
  )
  const packages = Object.keys(metafile.inputs).filter((path) => /node_modules\/(?:viem|@solana)\//.test(path))
  assert.equal(packages, [])
  assert.is(outputFiles.length, 1)
})

it('believes what needs them, and repeats all else', async () => {
  const w = await world()
  const keys = await makeChainKeys(w)
  for (const asked of [
    signing(keys.ethereum, 'TRANSACTION_TYPE_ETHEREUM', ethereumHex()),
    signing(keys.ethereum, 'TRANSACTION_TYPE_TEMPO', tempoHex()),
    signing(keys.solana, 'TRANSACTION_TYPE_SOLANA', solanaHex(keys.solana, transfer)),
  ])
    await w.done(w.root, ...asked)
  const text = await exported(w.storage.store)
  await w.close()
  const { outputFiles } = await bundled('audit-file.ts')
  const folder = await temporaryFolder()
  const path = join(folder.path, 'audit-file.mjs')
  for (const { contents } of outputFiles) writeFileSync(path, contents)
  const loaded = (await import(pathToFileURL(path).href)) as { readonly auditFile: typeof auditFile } // that file
  await folder.remove()
  const outcome = await loaded.auditFile(new Blob([text]), { heads: [], pins: new Map() })
  if (outcome._tag === 'problem') throw new Error(outcome.problem)
  const { counts, findings } = outcome.report
  assert.equal(findings, [])
  assert.is(counts.believed, 4) // the beginning and the end of each
  assert.is(counts.executions, counts.activities - 2)
})

it.run()
