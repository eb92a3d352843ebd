/*
 * A process that has nothing but an append under way, as a script of a host has. It opens the store, waits until its standard input ends,
 * and prints what became of one append. Its arguments are the URL and the schema.
 */
import { once } from 'node:events'
import { systemClock } from '../../../adapters/clock/system-clock.ts'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import { anyCommit } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { E } from '../../../core/prelude.ts'
import { lane } from '../../../core/writing/lane.ts'

const main = async (url: string, schema: string): Promise<void> => {
  const { store } = await right(openPostgresStore({ url, schema }))
  const { append } = lane({ store, clock: systemClock() })
  process.stdout.write('opened\n')
  await once(process.stdin.resume(), 'end')
  append(anyCommit(), (outcome) =>
    process.stdout.write(`${E.isLeft(outcome) ? outcome.left.code : outcome.right._tag}\n`),
  )
}

void main(process.argv.at(-2) ?? '', process.argv.at(-1) ?? '')
