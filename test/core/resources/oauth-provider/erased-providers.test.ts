import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eraseUser } from '../../../../core/resources/erasure/erasure.ts'
import { draftsOf } from '../../audit/forgery.ts'
import { audited, codesIn, exported } from '../../audit/logs.ts'
import { right } from '../../world/world.ts'
import { json } from '../scene.ts'
import { byClaims, byToken, office, providersOf, register } from './scene.ts'

const it = suite('erased oauth providers')

const SUBJECT = 'ada-in-the-words-of-the-provider'

/** All that an export says, with what its parts hold. */
const wordsOf = (text: string): string =>
  draftsOf(text)
    .flatMap(({ event, request, others = [] }) => [
      JSON.stringify(event),
      request?.body ?? '',
      ...others.map(({ bytes }) => Buffer.from(bytes).toString()),
    ])
    .join('\n')

it('are in no part of the log, match nobody, and leave an audit without findings', async () => {
  const w = await office()
  const ada = await w.enrol('ada')
  const eve = { userName: 'eve', apiKeys: [], authenticators: [], userTags: [] }
  const accounts = [byToken({ sub: SUBJECT }), byClaims({ sub: SUBJECT })]
  right(await register(w, ada, ada.userId, ...accounts))
  const created = await w.done(
    w.root,
    'create_users',
    json({ users: [{ ...eve, oauthProviders: [byToken({ sub: `${SUBJECT} eve` })] }] }),
  )
  const [eveId = ''] = (created.result['createUsersResult'] as { readonly userIds: readonly string[] }).userIds
  assert.match(wordsOf(await exported(w.storage.store)), SUBJECT)

  await w.done(w.root, 'delete_users', { userIds: [ada.userId, eveId] })
  for (const userId of [ada.userId, eveId]) await w.done(w.root, 'erase_user', { userId })
  const text = await exported(w.storage.store)
  assert.not.match(wordsOf(text), SUBJECT)
  assert.not.match(wordsOf(text), Buffer.from(SUBJECT).toString('base64url').slice(2, 20))
  assert.equal(codesIn(await audited(text, {}, [eraseUser])), [])

  right(await register(w, w.root, w.root.userId, ...accounts))
  assert.is((await providersOf(w, w.root.userId)).length, 2)
  const after = await audited(await exported(w.storage.store), {}, [eraseUser])
  assert.equal(codesIn(after), [])
  await w.close()
})

it.run()
