import { readdirSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSignedByKey } from '../../../core/identity/signed-by-key.ts'
import { signingKeyOf } from '../../../core/identity/signing-key.ts'
import { vectorFile, vectorFolder } from '../../vectors.ts'

const it = suite('identity tokens as the cookbook of JOSE signs them (RFC 7520, RFC 8037, RFC 7797)')

type Signed = {
  readonly input: { readonly key: unknown }
  readonly output: { readonly compact?: string; readonly json?: unknown; readonly json_flat?: unknown }
}

const filesIn = (place: string): readonly string[] => {
  const path = vectorFolder(`jose-cookbook/${place}`)
  return path === undefined ? [] : readdirSync(path).filter((file) => file.endsWith('.json'))
}

/** The forms of the file that are taken. */
const takenOf = async (place: string, file: string): Promise<readonly string[]> => {
  const vector = vectorFile<Signed>(`jose-cookbook/${place}`, file)
  if (vector === undefined) return []
  const keys = [vector.input.key].flat().flatMap((jwk) => signingKeyOf(jwk) ?? [])
  const taken: string[] = []
  for (const [form, output] of Object.entries(vector.output)) {
    const text = typeof output === 'string' ? output : JSON.stringify(output)
    for (const key of keys) if (await isSignedByKey(text, key)) taken.push(`${file} ${form}`)
  }
  return taken
}

it('are taken in the compact form by RS256 and EdDSA, and in no other form or algorithm', async () => {
  const files = filesIn('jws')
  if (files.length === 0) return
  assert.is(files.length, 8)
  const taken = await Promise.all(files.map((file) => takenOf('jws', file)))
  assert.equal(taken.flat(), ['4_1.rsa_v15_signature.json compact'])
  assert.equal(await takenOf('curve25519', 'jws.json'), ['jws.json compact'])
  for (const file of filesIn('rfc7797')) assert.equal(await takenOf('rfc7797', file), [], file)
})

it('have the keys of RSA alone: P-521 and secrets are none of ours, and of a private key the public part is taken', () => {
  const keys = new Map(
    filesIn('jwk').map((file) => [file, signingKeyOf(vectorFile<unknown>('jose-cookbook/jwk', file))] as const),
  )
  if (keys.size === 0) return
  assert.is(keys.size, 6)
  const [shown, secret] = ['3_3.rsa_public_key.json', '3_4.rsa_private_key.json']
  assert.equal([...keys].flatMap(([file, key]) => (key === undefined ? [] : [file])).sort(), [shown, secret])
  assert.equal(keys.get(secret), keys.get(shown))
  assert.equal(Object.keys(keys.get(secret) ?? {}), ['kty', 'n', 'e'])
})

it.run()
