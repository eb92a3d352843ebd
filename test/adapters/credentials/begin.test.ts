import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createEngine, CountersignError, readCredentials, type Engine } from '../../../adapters/index.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { sqliteStore } from '../../../adapters/store-sqlite/index.ts'
import { whoami } from '../../../core/api.ts'
import { failure } from '../../../core/failure.ts'
import { E } from '../../../core/prelude.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { folder } from '../cli/run-cli.ts'

const it = suite('the organization of a program that embeds the engine')

const place = (): { readonly path: string; readonly file: string } => {
  const cwd = folder()
  return { path: join(cwd, 'store.db'), file: join(cwd, 'keys/root.json') }
}

const using = async <A>(store: Storage | Promise<Storage>, use: (engine: Engine) => Promise<A>) => {
  const engine = await createEngine({ store })
  try {
    return await use(engine)
  } finally {
    await engine.close()
  }
}

const refusal = (promise: Promise<unknown>): Promise<CountersignError> =>
  promise.then(
    () => {
      throw new Error('it was not refused')
    },
    (error: unknown) => {
      if (error instanceof CountersignError) return error
      throw error
    },
  )

it('is made at the first start, with a private file, and found at the next', async () => {
  const { path, file } = place()
  const open = () =>
    using(sqliteStore({ path }), async (engine) => {
      const kept = await engine.openOrCreateOrganization({ name: 'Treasury', file })
      const { organizationId, username } = await engine.as(await readCredentials(file)).query(whoami, {})
      assert.equal([organizationId, username], [kept.organizationId, 'Root user'])
      assert.is(await engine.firstOrganization(), organizationId)
      return kept
    })
  const first = await open()
  const content = readFileSync(file, 'utf8')
  if (process.platform !== 'win32') assert.is(statSync(file).mode & 0o777, 0o600)
  assert.equal(await open(), { ...first, isNew: false })
  assert.ok(first.isNew)
  assert.is(readFileSync(file, 'utf8'), content)
  assert.not.ok(existsSync(`${file}.pending`))
})

it('is finished with the same key where the first start broke off', async () => {
  const { path, file } = place()
  /** A store that takes the organization, and does not say so. */
  const silent = async (): Promise<Storage> => {
    const storage = await sqliteStore({ path })
    const { store } = storage
    return {
      ...storage,
      store: {
        ...store,
        append: (commits) => async () => {
          await store.append(commits)()
          return E.left(failure('UNAVAILABLE', 'no answer'))
        },
      },
    }
  }
  const made = (engine: Engine) => engine.openOrCreateOrganization({ name: 'Treasury', file })
  assert.is((await refusal(using(silent(), made))).code, 'UNAVAILABLE')
  const pending = JSON.parse(readFileSync(`${file}.pending`, 'utf8')) as { readonly organizationId: string }
  assert.not.ok(existsSync(file))
  const next = await using(sqliteStore({ path }), made)
  assert.equal([next.organizationId, next.isNew], [pending.organizationId, true])
  assert.is((await readCredentials(file)).organizationId, pending.organizationId)
  assert.not.ok(existsSync(`${file}.pending`))
})

it('is one, also where it is asked for many times at once', async () => {
  const { file } = place()
  await using(memoryStore(), async (engine) => {
    const asked = Array.from({ length: 3 }, () => engine.openOrCreateOrganization({ name: 'Treasury', file }))
    const ids = (await Promise.all(asked)).map(({ organizationId }) => organizationId)
    assert.is(new Set(ids).size, 1)
  })
})

it('is not made where its file is for something else, or cannot be', async () => {
  const { file } = place()
  await using(memoryStore(), (engine) => engine.openOrCreateOrganization({ name: 'Treasury', file }))
  const content = readFileSync(file, 'utf8')
  const text = join(folder(), 'letter.txt')
  writeFileSync(text, 'Dear Ada')
  const other = join(folder(), 'other.json')
  await using(memoryStore(), async (engine) => {
    const refused = (name: unknown, at: unknown) =>
      // As a program in JavaScript may call it.
      refusal(engine.openOrCreateOrganization({ name: name as string, file: at as string }))
    const cases = [
      ['Treasury', file, /the store does not have the organization that .* is for: open the store/],
      ['Treasury', text, /letter\.txt is not a credentials file: expected JSON/],
      ['', other, /the name of the organization: /],
      [undefined, other, /the name of the organization: /],
      ['Treasury', undefined, /file: expected the path of a credentials file/],
    ] as const
    for (const [name, at, says] of cases) {
      const { code, message } = await refused(name, at)
      assert.is(code, 'CONFIGURATION_INVALID')
      assert.match(message, says)
    }
    assert.not.ok(existsSync(`${other}.pending`))
    assert.is(await engine.firstOrganization(), undefined)
    await engine.openOrCreateOrganization({ name: 'Treasury', file: other })
    const { code, message } = await refused('Treasury', join(folder(), 'third.json'))
    assert.is(code, 'ALREADY_EXISTS')
    assert.match(message, /the store has an organization already, but there is no file .*third\.json for it/)
  })
  assert.is(readFileSync(file, 'utf8'), content)
})

it.run()
