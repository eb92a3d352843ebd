import { createHash, createHmac } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { recordsOf } from '../../command/history.ts'
import { fakeIssuer } from '../../world/issuer.ts'
import { codeOf, right, world } from '../../world/world.ts'
import { ADA, countOf, newKey, nonceOf, PATHS, register, tokenFor, WAYS, withAccounts } from './scene.ts'

const it = suite('enemies of log-ins by identity tokens')

const INVALID = failure('INVALID_OIDC_TOKEN', 'invalid OIDC token')
const NOBODY = failure('UNAUTHENTICATED', 'nobody signs in with this identity token')

type Scene = Awaited<ReturnType<typeof withAccounts>>

/** A token with another header. */
const reheaded = (token: string, header: object): string => {
  const [, ...rest] = token.split('.')
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.')
}

/** Tokens about Ada that do not hold for the key, or that her provider has not signed. */
const bad = ({ issuer, clock }: Pick<Scene, 'issuer' | 'clock'>, publicKey: string) => {
  const good = tokenFor(issuer, publicKey)
  const [header = '', claims = '', signature = ''] = good.split('.')
  const now = Math.floor(clock.now() / 1000)
  const forged = fakeIssuer(issuer.url)
  const hmac = (text: string): string =>
    createHmac('sha256', JSON.stringify(issuer.key())).update(text).digest('base64url')
  const symmetric = reheaded(good, { alg: 'HS256' }).split('.').slice(0, 2).join('.')
  return {
    'bound to the bytes of the key': tokenFor(issuer, publicKey, {
      nonce: createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex'),
    }),
    'bound to another key': tokenFor(issuer, newKey().publicKey),
    'bound to nothing': issuer.token(ADA),
    'bound to the key itself': tokenFor(issuer, publicKey, { nonce: publicKey }),
    'bound in capitals': tokenFor(issuer, publicKey, { nonce: nonceOf(publicKey).toUpperCase() }),
    'over for a minute': tokenFor(issuer, publicKey, { exp: now - 61 }),
    'not yet': tokenFor(issuer, publicKey, { nbf: now + 120 }),
    'issued later': tokenFor(issuer, publicKey, { iat: now + 120 }),
    'without an end': tokenFor(issuer, publicKey, { exp: undefined }),
    'for two audiences': tokenFor(issuer, publicKey, { aud: [ADA.aud, 'another'] }),
    'without a subject': tokenFor(issuer, publicKey, { sub: undefined }),
    'signed by another key': tokenFor(forged, publicKey),
    'not signed': `${header}.${claims}.`,
    'cut off': `${header}.${claims}`,
    'with a signature of another': `${header}.${claims}.${tokenFor(issuer, newKey().publicKey).split('.')[2] ?? ''}`,
    'alg: none': reheaded(good, { alg: 'none' }),
    'HS256 by the public key': `${symmetric}.${hmac(symmetric)}`,
    'with a key in its header': reheaded(good, { alg: 'ES256', jwk: forged.key() }),
    'with the URL of a key in its header': reheaded(good, { alg: 'ES256', jku: 'https://evil.example.com' }),
    'with white space': `${good}\n`,
    'a fourth part': `${good}.${signature}`,
    'no token': 'token',
  }
}

it('learn one refusal from whatever is wrong with a token, and nothing is stored', async () => {
  const w = await withAccounts()
  const { publicKey } = newKey()
  const before = await countOf(w)
  for (const path of PATHS)
    for (const [name, token] of Object.entries(bad(w, publicKey)))
      assert.equal(await w.submit(w.root, path, WAYS[path](token, publicKey)), E.left(INVALID), `${path}: ${name}`)
  assert.is(await countOf(w), before)
  for (const path of PATHS) right(await w.submit(w.root, path, WAYS[path](tokenFor(w.issuer, publicKey), publicKey)))
  await w.close()
})

it('learn one refusal where nobody signs in by a token, and no issuer is asked', async () => {
  const w = await withAccounts()
  const { publicKey } = newKey()
  const before = await countOf(w)
  const asked = w.identityTokens.asked()
  const at = (url: string): string => tokenFor(fakeIssuer(url), publicKey)
  const unknown = {
    'an issuer with a slash': at(`${w.issuer.url}/`),
    'an issuer in another case': at('https://One.example.com'),
    'an issuer without TLS': at('http://one.example.com'),
    'an issuer that nobody has': at('https://third.example.com'),
    'the subject at another issuer': tokenFor(w.other, publicKey),
    'another subject': tokenFor(w.issuer, publicKey, { sub: 'eve-at-one' }),
    'the subject in another case': tokenFor(w.issuer, publicKey, { sub: 'Ada-at-one' }),
    'another audience': tokenFor(w.issuer, publicKey, { aud: 'another' }),
  }
  for (const path of PATHS)
    for (const [name, token] of Object.entries(unknown))
      assert.equal(await w.submit(w.root, path, WAYS[path](token, publicKey)), E.left(NOBODY), `${path}: ${name}`)
  assert.is(w.identityTokens.asked(), asked)
  assert.is(await countOf(w), before)
  await w.close()
})

it('who have the same subject at another issuer sign in as themselves', async () => {
  const { ada, issuer, other, ...w } = await withAccounts()
  const eve = await w.enrol('eve')
  await register(w, eve, other.token(ADA))
  for (const [at, userId] of [
    [issuer, ada.userId],
    [other, eve.userId],
  ] as const) {
    const key = newKey()
    const { publicKey } = key
    await w.done(w.root, 'oauth_login', { oidcToken: tokenFor(at, publicKey), publicKey })
    assert.is((await w.answer({ key }, 'whoami'))['userId'], userId)
  }
  await w.close()
})

it('sign in no more by an account that was deleted', async () => {
  const { ada, issuer, identityTokens, ...w } = await withAccounts()
  const { oauthProviders } = (await w.answer(ada, 'get_oauth_providers', { userId: ada.userId })) as {
    readonly oauthProviders: readonly { readonly providerId: string }[]
  }
  const providerIds = oauthProviders.map(({ providerId }) => providerId)
  await w.done(ada, 'delete_oauth_providers', { userId: ada.userId, providerIds })
  const asked = identityTokens.asked()
  const { publicKey } = newKey()
  for (const path of PATHS)
    assert.equal(await w.submit(w.root, path, WAYS[path](tokenFor(issuer, publicKey), publicKey)), E.left(NOBODY), path)
  assert.is(identityTokens.asked(), asked)
  await w.close()
})

it('get UNAVAILABLE while the provider does not answer, nothing is stored, and the same body works later', async () => {
  const { issuer, identityTokens, ...w } = await withAccounts()
  for (const path of PATHS) {
    const { publicKey } = newKey()
    const body = w.body(path, WAYS[path](tokenFor(issuer, publicKey), publicKey))
    const before = await countOf(w)
    identityTokens.answer(false)
    assert.is(codeOf(await w.send(w.root, path, body)), 'UNAVAILABLE', path)
    assert.is(await countOf(w), before)
    identityTokens.answer(true)
    assert.is(right(await w.send(w.root, path, body)).status, 'ACTIVITY_STATUS_COMPLETED', path)
  }
  await w.close()
})

it('find no issuer, audience or subject in a line, and no token in what others are shown', async () => {
  const { ada, issuer, ...w } = await withAccounts()
  const { publicKey } = newKey()
  const oidcToken = tokenFor(issuer, publicKey)
  for (const path of PATHS) {
    const { id } = await w.done(w.root, path, WAYS[path](oidcToken, publicKey))
    const shown = async (signer: typeof ada): Promise<string> =>
      JSON.stringify(await w.answer(signer, 'get_activity', { activityId: id }))
    assert.ok((await shown(w.root)).includes(oidcToken), path)
    assert.not.ok((await shown(ada)).includes(oidcToken), path)
  }
  const lines = (await recordsOf(w)).map(({ line }) => Buffer.from(line).toString())
  for (const name of [issuer.url, ADA.sub, ADA.aud, oidcToken])
    assert.not.ok(
      lines.some((line) => line.includes(name)),
      name,
    )
  await w.close()
})

it('get UNSUPPORTED from a server that asks no identity providers', async () => {
  const w = await world({ ports: { identityTokens: undefined }, publicUrl: undefined })
  const { publicKey } = newKey()
  const token = tokenFor(fakeIssuer(), publicKey)
  for (const path of PATHS)
    assert.is(codeOf(await w.submit(w.root, path, WAYS[path](token, publicKey))), 'UNSUPPORTED', path)
  await w.close()
})

it.run()
