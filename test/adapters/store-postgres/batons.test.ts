import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { onPostgres } from './server/on-postgres.ts'
import { anySchema, openIn } from './any-schema.ts'

const it = suite('PostgreSQL store: batons')

const batonsOf = ({ batons }: Storage) => {
  if (batons === undefined) throw new Error('expected batons')
  return batons
}

/** A job that goes on until it is let go. */
const job = () => {
  let begin = (): void => undefined
  let letGo = (): void => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  return {
    begun,
    letGo,
    run: async (): Promise<void> => {
      begin()
      await gate
    },
  }
}

await onPostgres(it, ({ url, run }) => {
  const inTwo = async (use: (one: Storage, two: Storage, schema: string) => Promise<void>): Promise<void> => {
    const schema = anySchema()
    const [one, two] = [await openIn({ url }, schema), await openIn({ url }, schema)]
    try {
      await use(one, two, schema)
    } finally {
      await closed(one)
      await closed(two)
      await run(`DROP SCHEMA "${schema}" CASCADE`)
    }
  }

  /** Resolves when somebody waits for an advisory lock. */
  const isAwaited = async (): Promise<void> => {
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
    while ((await run(waiting)).length === 0);
  }

  it('are held by one process at a time, those of other names meanwhile by others', () =>
    inTwo(async (one, two) => {
      const [first, second, other] = [job(), job(), job()]
      const holding = batonsOf(one).hold('acme', first.run)()
      await first.begun
      const waiting = batonsOf(two).hold('acme', second.run)()
      await isAwaited()
      other.letGo()
      await right(batonsOf(two).hold('other', other.run))
      let hasBegun = false
      void second.begun.then(() => (hasBegun = true))
      assert.is(hasBegun, false)
      first.letGo()
      await second.begun
      second.letGo()
      assert.equal([E.isRight(await holding), E.isRight(await waiting)], [true, true])
    }))

  it('are passed on by the server when a holder does nothing for too long, who is told', () =>
    inTwo(async (one, two) => {
      const [frozen, next] = [job(), job()]
      const holding = batonsOf(one).hold('acme', frozen.run)()
      await frozen.begun
      next.letGo()
      await right(batonsOf(two).hold('acme', next.run))
      frozen.letGo()
      assert.is(E.isLeft(await holding), true)
    }))

  it('are not waited for by more than a few names at a time', () =>
    inTwo(async (one) => {
      const held = Array.from({ length: 4 }, job)
      const holding = held.map(({ run }, n) => batonsOf(one).hold(`${n}`, run)())
      await Promise.all(held.map(({ begun }) => begun))
      const more = job()
      assert.is(E.isLeft(await batonsOf(one).hold('more', more.run)()), true)
      for (const { letGo } of held) letGo()
      for (const each of holding) assert.is(E.isRight(await each), true)
    }))
})

it.run()
