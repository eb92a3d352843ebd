import { statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { signingKey } from '../../../adapters/signatures/signer.ts'
import { folder, json, run } from './run-cli.ts'

const it = suite('keygen')

const cwd = folder()

const curves = [
  ['p256', 'API_KEY_CURVE_P256'],
  ['secp256k1', 'API_KEY_CURVE_SECP256K1'],
  ['ed25519', 'API_KEY_CURVE_ED25519'],
] as const

for (const [curve, curveType] of curves) {
  it(`prints a key pair on ${curve}`, async () => {
    const { code, stdout, stderr } = await run(['keygen', '--curve', curve], { cwd })
    assert.equal([code, stderr], [0, ''])
    const made = JSON.parse(stdout) as { readonly [member: string]: string }
    const key = signingKey(curveType, made['apiPrivateKey'] ?? '')
    assert.is(key._tag === 'Right' && key.right.publicKey, made['apiPublicKey'])
    assert.is(made['curveType'], curveType)
  })
}

it('writes a file that only its owner can read, for the organization of another file', async () => {
  const first = await run(['keygen', '--out', 'a/first.json'], { cwd })
  assert.equal([first.code, first.stdout], [0, ''])
  assert.is(statSync(join(cwd, 'a/first.json')).mode & 0o777, 0o600)
  assert.equal(Object.keys(json(join(cwd, 'a/first.json'))), ['curveType', 'apiPublicKey', 'apiPrivateKey'])
  const second = await run(['keygen', '--credentials', 'a/first.json', '--out', 'second.json'], { cwd })
  assert.is(second.code, 0)
  assert.not.equal(json(join(cwd, 'second.json'))['apiPrivateKey'], json(join(cwd, 'a/first.json'))['apiPrivateKey'])
})

it.run()
