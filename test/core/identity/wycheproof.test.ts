import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSignedByKey } from '../../../core/identity/signed-by-key.ts'
import { signingKeyOf } from '../../../core/identity/signing-key.ts'
import { vectorFile } from '../../vectors.ts'

const it = suite('identity tokens as Wycheproof tests JSON Web Signatures')

type Jwk = { readonly alg?: string; readonly kty: string; readonly crv?: string }
type Keys = Jwk | { readonly keys: readonly Jwk[] }
type Vectors = {
  readonly testGroups: readonly {
    readonly public?: Keys
    readonly private: Keys
    readonly tests: readonly {
      readonly tcId: number
      readonly comment: string
      readonly jws?: unknown
      readonly result: 'valid' | 'invalid'
    }[]
  }[]
}

const keysIn = (keys: Keys): readonly Jwk[] => ('keys' in keys ? keys.keys : [keys])

/** What a vector is about: whether a token signed so may be taken at all. */
const isOfOurs = ({ alg, kty, crv }: Jwk): boolean =>
  (kty === 'RSA' && (alg === 'RS256' || alg === undefined)) || (kty === 'EC' && crv === 'P-256') || crv === 'Ed25519'

/** Counts what is taken, and what is wrong: a valid one of our algorithms that is refused, or an invalid one that is taken. */
const told = async (file: string) => {
  const counts = { signed: 0, taken: 0, ofOtherAlgorithms: 0, wrong: [] as string[] }
  for (const { public: shown, private: secret, tests } of vectorFile<Vectors>('wycheproof', file)?.testGroups ?? []) {
    const jwks = keysIn(shown ?? secret)
    for (const { tcId, comment, jws, result } of tests) {
      if (jws === undefined) continue // encrypted ones: an identity token is none
      counts.signed += 1
      const text = typeof jws === 'string' ? jws : JSON.stringify(jws)
      const keys = jwks.flatMap((jwk) => signingKeyOf(jwk) ?? [])
      const isTaken = (await Promise.all(keys.map((key) => isSignedByKey(text, key)))).includes(true)
      if (isTaken) counts.taken += 1
      const isOther = !jwks.some(isOfOurs)
      if (isOther) counts.ofOtherAlgorithms += 1
      if (isTaken !== (result === 'valid' && !isOther)) counts.wrong.push(`${tcId} ${comment}`)
    }
  }
  return counts
}

const expected: { readonly [file: string]: Awaited<ReturnType<typeof told>> } = {
  'json_web_signature_test.json': { signed: 401, taken: 10, ofOtherAlgorithms: 125, wrong: [] },
  'json_web_key_test.json': { signed: 26, taken: 1, ofOtherAlgorithms: 17, wrong: [] },
  'json_web_crypto_test.json': { signed: 49, taken: 2, ofOtherAlgorithms: 19, wrong: [] },
}

for (const [file, counts] of Object.entries(expected))
  it(`are taken where ${file} has a valid one of our algorithms, and nowhere else`, async () => {
    const found = await told(file)
    if (found.signed > 0) assert.equal(found, counts)
  })

it.run()
