/*
 * A host with an operation whose work never ends. It runs what was built, and prints `listening on URL` as
 * `countersign serve` does.
 */
import { createEngine, operation, publicApi, resource, t } from 'countersign'
import { httpServer } from 'countersign/http'
import { sqliteStore } from 'countersign/store-sqlite'
import { programOptions } from '../built-program.ts'

const Receipt = t.fields({ receipt: t.string })

const postSlowly = operation({
  type: 'ACTIVITY_TYPE_POST_SLOWLY',
  path: 'post_slowly',
  summary: 'Posts a notice, which never ends.',
  resource: 'NOTICE',
  action: 'CREATE',
  intent: t.fields({ text: t.string }),
  result: Receipt,
  change: Receipt,
  perform: {
    outside: true,
    resumeAfterMs: 60_000,
    attemptsMax: 2,
    whenInterrupted: 'retry',
    performed: Receipt,
    run: async ({ text }) => {
      await new Promise(() => undefined)
      return { receipt: text }
    },
  },
  execute: (_, { performed }) => ({ result: performed, change: performed }),
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
