import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SeenActivity, SeenVote } from '../../../adapters/inbox/seen.ts'
import { verifyVote } from '../../../adapters/inbox/verified-vote.ts'
import { nobleSignatures } from '../../../adapters/signatures/noble-signatures.ts'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { ATTESTED } from '../../../core/stamp/attested-stamp.ts'
import { anyPasskey } from '../../core/world/software-passkey.ts'
import { right, type Signer, type World } from '../../core/world/world.ts'
import { askForTag, officeOf, seen } from './office.ts'

const it = suite('verified votes')

const signers: { readonly [name: string]: Signer } = {
  P256: { key: generateKey('API_KEY_CURVE_P256') },
  SECP256K1: { key: generateKey('API_KEY_CURVE_SECP256K1') },
  EIP191: { key: generateKey('API_KEY_CURVE_SECP256K1'), eip191: true },
  ED25519: { key: generateKey('API_KEY_CURVE_ED25519') },
  WEBAUTHN: { key: generateKey(), passkey: anyPasskey() },
  'WEBAUTHN with RSA': { key: generateKey(), passkey: anyPasskey('RS256') },
}
const EVERYONE = Object.keys(signers)

let w: World
/** Asked for by the first, and approved by each of the others. */
let activity: SeenActivity
let other: SeenActivity
/** An approval by the same body, and a rejection. */
let byBody: SeenVote
let rejection: SeenVote

it.before(async () => {
  w = await officeOf(8)
  const people = await Promise.all(Object.entries(signers).map(([name, signer]) => w.enrol(name, [], signer)))
  const [ada, ...others] = people
  const more = await w.enrol('more')
  if (ada === undefined) throw new Error('there is nobody to ask')
  activity = await askForTag(w, ada, 'small')
  const { fingerprint } = activity
  for (const person of others) activity = seen(right(await w.submit(person, 'approve_activity', { fingerprint })))
  const body = Buffer.from(activity.votes[0]?.message ?? '')
  const approved = seen(right(await w.send(more, 'create_user_tag', body)))
  byBody = lastOf(approved)
  other = await askForTag(w, ada, 'large')
  const rejected = seen(right(await w.submit(more, 'reject_activity', { fingerprint: other.fingerprint })))
  rejection = lastOf(rejected)
})
it.after(() => w.close())

const lastOf = ({ votes }: SeenActivity): SeenVote => {
  const last = votes.at(-1)
  if (last === undefined) throw new Error('there is no vote')
  return last
}
const voteOf = (name: string): SeenVote => {
  const found = activity.votes[EVERYONE.indexOf(name)]
  if (found === undefined) throw new Error(`${name} has not voted`)
  return found
}

const check = async (vote: SeenVote, of: SeenActivity = activity, organizationId = w.organizationId) => {
  const checked = await verifyVote(nobleSignatures(), vote, { organizationId, fingerprint: of.fingerprint })
  return checked === 'verified' ? checked : checked.unverified
}

/** The text with another digit, letter or number at the place. */
const changed = (text: string, at: number): string =>
  `${text.slice(0, at)}${text.charAt(at) === '1' ? '2' : '1'}${text.slice(at + 1)}`
const middle = (text: string): number => Math.floor(text.length / 2)

for (const name of EVERYONE) {
  it(`are those of a key of ${name}`, async () => {
    const vote = voteOf(name)
    assert.match(vote.scheme, name.split(' ')[0] ?? '')
    assert.is(await check(vote), 'verified')
  })

  it(`are none of ${name} if one byte of signature, key or body is another one`, async () => {
    const vote = voteOf(name)
    const { signature, publicKey, message } = vote
    assert.is(await check({ ...vote, signature: changed(signature, signature.length - 40) }), 'signature')
    assert.is(await check({ ...vote, publicKey: changed(publicKey, middle(publicKey)) }), 'signature')
    const later = message.replace(/"nonce":"/, '"nonce":"1')
    assert.not.equal(later, message)
    const isRequest = name === EVERYONE[0]
    assert.is(await check({ ...vote, message: later }), isRequest ? 'body' : 'signature')
    assert.is(await check({ ...vote, message: '' }), 'erased')
    assert.is(await check({ ...vote, signature: 'no signature' }), 'signature')
  })
}

it('are those of a passkey over all that its stamp says', async () => {
  const vote = voteOf('WEBAUTHN')
  const stamp = JSON.parse(vote.signature) as { readonly [member: string]: string } // as its client wrote it
  for (const member of ['authenticatorData', 'clientDataJson', 'signature']) {
    const text = stamp[member] ?? ''
    const signature = JSON.stringify({ ...stamp, [member]: changed(text, middle(text)) })
    assert.is(await check({ ...vote, signature }), 'signature', member)
  }
})

it('are those that stamp the request itself, whoever asked for it before', async () => {
  assert.is(byBody.message, activity.votes[0]?.message)
  assert.is(await check(byBody), 'verified')
  assert.is(await check({ ...byBody, selection: 'VOTE_SELECTION_REJECTED' }), 'selection')
})

it('are rejections as well, and the selection is that of the bytes', async () => {
  assert.is(await check(rejection, other), 'verified')
  assert.is(await check({ ...rejection, selection: 'VOTE_SELECTION_APPROVED' }, other), 'selection')
})

it('are votes on this activity in this organization alone', async () => {
  assert.is(await check(voteOf('ED25519'), other), 'body')
  assert.is(await check(voteOf('ED25519'), activity, other.id), 'body')
  assert.is(await check(voteOf('P256'), other), 'body')
  assert.is(await check({ ...voteOf('ED25519'), message: '{}' }), 'body')
})

it('are not those of another scheme, of a passkey that is gone, or of a key for which somebody else vouched', async () => {
  const vote = voteOf('P256')
  assert.is(await check({ ...vote, scheme: 'SIGNATURE_SCHEME_OF_TOMORROW' }), 'scheme')
  assert.is(await check({ ...vote, scheme: 'SIGNATURE_SCHEME_TK_API_ED25519' }), 'signature')
  assert.is(await check({ ...voteOf('WEBAUTHN'), publicKey: '' }), 'key')
  assert.is(await check({ ...vote, scheme: ATTESTED }), 'token')
  assert.is(await check({ ...vote, scheme: ATTESTED, signature: changed(vote.signature, 40) }), 'signature')
})

it.run()
