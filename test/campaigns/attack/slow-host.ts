/*
 * A host with an operation whose work never ends. It runs what was built, and prints `listening on URL` as
 * `countersign serve` does.
 */
import { createEngine, fields, operation, publicApi, resource } from 'countersign'
import { httpServer } from 'countersign/http'
import { sqliteStore } from 'countersign/store-sqlite'
import * as t from 'io-ts'
import { programOptions } from '../built-program.ts'

const Receipt = fields({ receipt: t.string })

const postSlowly = operation({
  type: 'ACTIVITY_TYPE_POST_SLOWLY',
  path: 'post_slowly',
  summary: 'Posts a notice, which never ends.',
  resource: 'NOTICE',
  action: 'CREATE',
  intent: fields({ text: t.string }),
  result: Receipt,
  change: Receipt,
  perform: {
    outside: true,
    resumeAfterMs: 60_000,
    attemptsMax: 2,
    whenInterrupted: 'retry',
    performed: Receipt,
    run:
      ({ text }) =>
      async () => {
        await new Promise(() => undefined)
        return { _tag: 'Right', right: { receipt: text } }
      },
  },
  execute: (_, { performed }) => ({ _tag: 'Right', right: { result: performed, change: performed } }),
  evolve: () => undefined,
})

const main = async ({ store }: { readonly store: string }): Promise<void> => {
  const engine = await createEngine({
    store: sqliteStore({ path: store }),
    resources: [...publicApi, resource({ name: 'slow', operations: [postSlowly] })],
  })
  const { url } = await httpServer(engine).listen()
  process.stdout.write(`listening on ${url}\n`)
  process.once('SIGTERM', () => process.exit()) // what it works on never ends
}

await main(programOptions() as { store: string }) // of `startServer`
