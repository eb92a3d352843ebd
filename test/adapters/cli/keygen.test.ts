import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { signingKey } from '../../../adapters/signatures/signer.ts'
import { folder, json, run, runProcess } from './run-cli.ts'

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

it('says what it has written, and replaces no file unless it is told to', async () => {
  const file = join(cwd, 'mine.json')
  const first = await run(['keygen', '--out', 'mine.json'], { cwd })
  assert.equal([first.code, first.stderr], [0, 'The key pair is in mine.json. Keep it secret.\n'])
  const key = readFileSync(file, 'utf8')
  const again = await run(['keygen', '--out', 'mine.json'], { cwd })
  assert.match(again.stderr, /^countersign: mine\.json is there already: [^\n]*--force\n$/)
  assert.equal([again.code, again.stdout, readFileSync(file, 'utf8')], [2, '', key])
  const forced = await run(['keygen', '--out', 'mine.json', '--force'], { cwd })
  assert.is(forced.code, 0)
  assert.is.not(readFileSync(file, 'utf8'), key)

  symlinkSync('nowhere.json', join(cwd, 'link.json'))
  assert.is((await run(['keygen', '--out', 'link.json'], { cwd })).code, 2)
})

it('loses no key where two write one file at once', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => runProcess(['keygen', '--out', 'race.json'], { cwd })))
  const done = all.filter(({ code }) => code === 0)
  for (const { code, stderr } of all) if (code !== 0) assert.match(stderr, /^countersign: [^\n]*race\.json[^\n]*\n$/)
  assert.ok(done.length <= 1)
  assert.is(existsSync(join(cwd, 'race.json')), done.length === 1)
})

it.run()
