import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { publicPathOf, readProxyKeys, readProxyPublicKeys, writeProxyKeys } from '../../../adapters/cli/proxy-keys.ts'
import { newProxyKeys, publicHalves, type ProxyKeys } from '../../../adapters/proxy/keys.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const it = suite('the keys of a proxy')

const folder = await temporaryFolder()
it.after(() => folder.remove())
const at = (name: string): string => join(folder.path, name)

const written = (name: string, json: unknown, mode = 0o600): string => {
  writeFileSync(at(name), typeof json === 'string' ? json : JSON.stringify(json))
  chmodSync(at(name), mode)
  return at(name)
}

/** What stops it, without the path. */
const stopOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'nothing',
    (error: unknown) => String(error).replaceAll(folder.path, ''),
  )

it('are in a file for their owner alone, with their public halves beside it', async () => {
  await writeProxyKeys(at('proxy.json'))
  const keys = await readProxyKeys(at('proxy.json'))
  assert.equal(JSON.parse(readFileSync(at('proxy.json'), 'utf8')), keys)
  if (process.platform !== 'win32') assert.is(statSync(at('proxy.json')).mode & 0o777, 0o600)
  assert.equal(JSON.parse(readFileSync(at('proxy.pub.json'), 'utf8')), {
    signing: { publicKey: keys.signing.publicKey },
    opening: { publicKey: keys.opening.publicKey },
  })
  assert.equal(await readProxyPublicKeys(at('proxy.pub.json')), publicHalves(keys))
  assert.not.equal(await readProxyKeys(at('proxy.json')), newProxyKeys())
})

it('replace no file', async () => {
  const before = written('there.pub.json', 'something else')
  assert.match(await stopOf(writeProxyKeys(at('there.json'))), /there\.pub\.json is there already/)
  assert.is(readFileSync(before, 'utf8'), 'something else')
  assert.match(await stopOf(readProxyKeys(at('there.json'))), /there is no file/)
  const keys = written('whole.json', 'something else')
  assert.match(await stopOf(writeProxyKeys(keys)), /it exists already/)
  assert.is(readFileSync(keys, 'utf8'), 'something else')
})

it('have a place for their public halves that is never their own', () => {
  for (const [path, expected] of [
    ['proxy.json', 'proxy.pub.json'],
    ['a.json/proxy', 'a.json/proxy.pub.json'],
    ['proxy.pub.json', 'proxy.pub.pub.json'],
  ] as const)
    assert.is(publicPathOf(path), expected)
})

it('are refused where others have rights on them', async () => {
  if (process.platform === 'win32') return
  for (const mode of [0o644, 0o640, 0o602])
    assert.match(await stopOf(readProxyKeys(written('open.json', newProxyKeys(), mode))), /chmod 600 /)
})

const { signing, opening } = newProxyKeys()
const broken: { readonly [what: string]: readonly [file: unknown, says: RegExp] } = {
  'no JSON': ['{', /is not a file with the keys of a proxy: expected JSON/],
  'a list': [[], /is not a file with the keys of a proxy/],
  'one key': [{ signing }, /is not a file with the keys of a proxy/],
  'more than keys': [{ signing, opening, more: 1 }, /no field but those of the format/],
  'halves that do not fit': [
    { signing: { ...signing, publicKey: opening.publicKey }, opening },
    /does not belong to its private key/,
  ],
  'no private key': [{ signing: { ...signing, privateKey: 'f'.repeat(64) }, opening }, /expected a private key/],
  'one key twice': [{ signing, opening: signing }, /holds one key twice/],
}
for (const [what, [file, says]] of Object.entries(broken))
  it(`are refused with ${what}, and nothing of them is repeated`, async () => {
    const said = await stopOf(readProxyKeys(written('broken.json', file)))
    assert.match(said, says)
    for (const { privateKey } of [signing, opening]) assert.not.ok(said.includes(privateKey))
  })

it('are taken in any case', async () => {
  const shouted = (pair: ProxyKeys['signing']) => ({
    publicKey: pair.publicKey.toUpperCase(),
    privateKey: pair.privateKey.toUpperCase(),
  })
  const path = written('shouted.json', { signing: shouted(signing), opening: shouted(opening) })
  assert.equal(await readProxyKeys(path), { signing, opening })
})

const half = ({ publicKey }: ProxyKeys['signing']) => ({ publicKey })
const brokenHalves: { readonly [what: string]: readonly [file: unknown, says: RegExp] } = {
  'the private halves': [{ signing, opening }, /no field but those of the format/],
  'a key off its curve': [{ signing: { publicKey: `02${'f'.repeat(64)}` }, opening: half(opening) }, /no usable key/],
  'a key that is not compressed': [{ signing: { publicKey: `04${'0'.repeat(128)}` }, opening: half(opening) }, /no usable key/], // prettier-ignore
  'one key twice': [{ signing: half(signing), opening: half(signing) }, /holds one key twice/],
}
for (const [what, [file, says]] of Object.entries(brokenHalves))
  it(`are refused as public halves with ${what}`, async () => {
    const said = await stopOf(readProxyPublicKeys(written('broken.pub.json', file)))
    assert.match(said, says)
    assert.not.ok(said.includes(signing.privateKey))
  })

it.run()
