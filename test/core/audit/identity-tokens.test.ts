import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { byClaims, byToken, office, register } from '../resources/oauth-provider/scene.ts'
import { json } from '../resources/scene.ts'
import { anIssuer, fakeIssuer, google } from '../world/issuer.ts'
import { right } from '../world/world.ts'
import { draftsOf, forged, must, rebased, type Draft } from './forgery.ts'
import { audited, codesIn, exported } from './logs.ts'

const it = suite('audits of identity tokens')

/** A user with two accounts, and one who began with an account. The providers are not asked any more. */
const log = async (): Promise<string> => {
  const w = await office()
  const ada = await w.enrol('ada')
  right(await register(w, ada, ada.userId, byToken(), byToken({}, google), byClaims()))
  const user = { userName: 'eve', apiKeys: [], authenticators: [], userTags: [] }
  await w.done(w.root, 'create_users', json({ users: [{ ...user, oauthProviders: [byToken({ sub: 'eve' })] }] }))
  const text = await exported(w.storage.store)
  await w.close()
  return text
}
const honest = await log()

const hasWorked = ({ event }: Draft): boolean => event.data.performed !== undefined

it('have no finding in an honest log, without any provider, and believe nothing of it', async () => {
  const { findings, counts } = await audited(honest)
  assert.equal([findings, counts.believed], [[], 0])
  assert.is(draftsOf(honest).filter(hasWorked).length, 2) // the first user came without a token
})

it('find keys that have not signed the tokens, in their order', async () => {
  const lied = (nth: number, keys: readonly unknown[]): string => {
    const drafts = draftsOf(honest)
    must(drafts.filter(hasWorked)[nth]).event.data.performed = { keys: keys as Json }
    return forged(rebased(drafts))
  }
  const [own, other] = [anIssuer.key(), google.key()]
  assert.equal(codesIn(await audited(lied(0, [own, other]))), [])
  for (const keys of [[], [own], [other, own], [own, own], [own, other, own], [own, fakeIssuer(google.url).key()]])
    assert.equal(codesIn(await audited(lied(0, keys))), ['PERFORMED_DIFFERS'])
  for (const keys of [[], [other]]) assert.equal(codesIn(await audited(lied(1, keys))), ['PERFORMED_DIFFERS'])
})

it('find a token of which one bit is another, wherever it is', async () => {
  const drafts = draftsOf(honest)
  const { activity } = must(drafts.find(hasWorked)).event
  const of = drafts.findIndex(({ event, request }) => event.activity === activity && request !== undefined)
  const { body } = must(drafts[of]?.request)
  const [token = '', header = '', claims = ''] = /([\w-]+)\.([\w-]+)\.[\w-]{80,}/.exec(body) ?? []
  const start = body.indexOf(token)
  const signature = header.length + claims.length + 2
  for (const at of [3, header.length + 4, header.length + 20, signature + 3, token.length - 5].map((n) => start + n)) {
    const changed = draftsOf(honest)
    must(changed[of]?.request).body = `${body.slice(0, at)}${flipped(body[at] ?? '')}${body.slice(at + 1)}`
    assert.ok(codesIn(await audited(forged(changed))).length > 0, `character ${at}`)
  }
})

/** The next letter of base64url: the last bit is another. */
const flipped = (letter: string): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return letters[letters.indexOf(letter) ^ 1] ?? ''
}

it.run()
