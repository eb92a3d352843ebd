import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPasted } from '../../../../../adapters/console/page/who/pasted.ts'
import { texts } from '../../../../../adapters/console/page/texts.ts'
import { generateKey } from '../../../../../adapters/signatures/index.ts'

const test = suite('credentials that are pasted')

const { publicKey: apiPublicKey, privateKey: apiPrivateKey } = generateKey('API_KEY_CURVE_P256')
const organizationId = '3B241101-E2BB-4255-8CAF-4136C566A962'
const file = { baseUrl: 'http://127.0.0.1:8080', organizationId, apiPublicKey, apiPrivateKey }

test('a file of init or keygen is read, with the id in lower case', () => {
  const read = readPasted(JSON.stringify(file))
  assert.equal(read._tag === 'Right' && read.right, { ...file, organizationId: organizationId.toLowerCase() })
})

const wrong: readonly (readonly [what: string, text: string, says: string])[] = [
  ['nothing', '', texts.signIn.noJson],
  ['half a file', JSON.stringify(file).slice(0, -9), texts.signIn.noJson],
  ['a key alone', JSON.stringify(apiPrivateKey), texts.signIn.noCredentials],
  ['a file without a private key', JSON.stringify({ organizationId, apiPublicKey }), texts.signIn.noCredentials],
  ['a curve that there is not', JSON.stringify({ ...file, curveType: 'x' }), texts.signIn.noCredentials],
  ['a file without an organization', JSON.stringify({ apiPublicKey, apiPrivateKey }), texts.signIn.noOrganization],
]
for (const [what, text, says] of wrong)
  test(`${what} is refused in a sentence that has nothing of it`, () => {
    const read = readPasted(text)
    assert.is(read._tag === 'Left' && read.left, says)
    assert.not.ok(says.includes(apiPrivateKey) || says.includes(apiPublicKey))
  })

test.run()
