import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folder, json, runProcess, serve } from './run-cli.ts'
import { secretBytes, secretText, sightings, type Secret } from '../../system/canaries/secret.ts'

const it = suite('canaries on the command line')

const cwd = folder()
const keyIn = (file: string): Secret => secretBytes(`the key of ${file}`, String(json(join(cwd, file)).apiPrivateKey))
const heard: string[] = []
const cli = async (...args: readonly string[]): Promise<void> => {
  const { stdout, stderr } = await runProcess(args, { cwd })
  heard.push(stdout, stderr)
}

it('are not printed by init and keygen when they are asked for a file', async () => {
  await cli('init', '--store', 'sqlite:store.db', '--credentials', 'root.json')
  await cli('init', '--store', 'sqlite:store.db', '--credentials', 'root.json')
  for (const curve of ['p256', 'secp256k1', 'ed25519'])
    await cli('keygen', '--curve', curve, '--credentials', 'root.json', '--out', `${curve}.json`)
  const files = ['root.json', 'p256.json', 'secp256k1.json', 'ed25519.json']
  assert.equal(sightings(files.map(keyIn), 'the terminal', heard.join('\n')), [])
  assert.match(heard.join('\n'), 'genesisHash')
})

it('are not printed where a credentials file cannot be used', async () => {
  const { apiPublicKey, apiPrivateKey } = json(join(cwd, 'p256.json'))
  const secret = [keyIn('p256.json')]
  const spoilt: readonly (readonly [string, string])[] = [
    ['cut.json', JSON.stringify({ apiPublicKey, apiPrivateKey }).slice(0, -3)],
    ['list.json', JSON.stringify([apiPrivateKey])],
    ['swapped.json', JSON.stringify({ apiPublicKey: apiPrivateKey, apiPrivateKey: apiPublicKey })],
    ['short.json', JSON.stringify({ apiPublicKey, apiPrivateKey: String(apiPrivateKey).slice(1) })],
    ['more.json', JSON.stringify({ apiPublicKey, apiPrivateKey, baseUrl: { [String(apiPrivateKey)]: 1 } })],
    ['elsewhere.json', JSON.stringify({ apiPublicKey, apiPrivateKey, baseUrl: 'http://127.0.0.1:1' })],
  ]
  for (const [file, content] of spoilt) {
    writeFileSync(join(cwd, file), content)
    const others = [
      ['keygen', '--credentials', file, '--out', 'never.json'],
      ['serve', '--store', 'memory:', '--port', '0', '--init', '--credentials', file],
    ]
    for (const args of [['request', 'whoami', '--credentials', file], ...(file === 'cut.json' ? others : [])]) {
      const { stdout, stderr } = await runProcess(args, { cwd })
      assert.equal(sightings(secret, args.join(' '), stdout + stderr), [])
    }
  }
})

it('are not in what serve says, at any level, nor in its answers, nor in its store', async () => {
  const served = await serve(
    ['--store', 'sqlite:store.db', '--init', '--credentials', 'root.json', '--log-level', 'trace'],
    { cwd },
  )
  const before = heard.length
  await cli('request', 'whoami', '--credentials', 'root.json')
  await cli('request', 'create_user_tag', '{"userTagName":"a","userIds":[]}', '--credentials', 'root.json')
  await cli('request', 'create_user_tag', '{"userTagName":7}', '--credentials', 'root.json')
  await cli('request', 'create_user_tag', '{', '--credentials', 'root.json')
  await cli('request', 'whoami', '--credentials', 'p256.json', '--url', served.url)
  assert.match(heard.slice(before).join('\n'), 'ACTIVITY_STATUS_COMPLETED')
  const secrets = ['root.json', 'p256.json'].map(keyIn)
  if (process.platform === 'linux')
    assert.equal(sightings(secrets, 'the process list', readFileSync(`/proc/${served.child.pid}/cmdline`)), [])
  const { stdout, stderr } = await served.stop()
  assert.equal(sightings(secrets, 'the terminal', [...heard, stdout, stderr].join('\n')), [])
  assert.equal(sightings(secrets, 'the store', readFileSync(join(cwd, 'store.db'))), [])
})

it('are not in what request sends', async () => {
  const sent: string[] = []
  const server = createServer((request, response) => {
    sent.push(JSON.stringify(request.rawHeaders), request.url ?? '')
    request.on('data', (chunk: Buffer) => sent.push(chunk.toString('latin1')))
    request.on('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens, and not on a pipe
  await cli('request', 'whoami', '--credentials', 'root.json', '--url', `http://127.0.0.1:${port}`)
  server.close()
  assert.match(sent.join('\n'), /x-stamp/i, 'it was sent')
  assert.equal(sightings([keyIn('root.json')], 'the request', sent.join('\n')), [])
})

it('are not said of the URL of a store', async () => {
  const password = secretText('the password of a store', 'password-7d1c8a30f4')
  const url = 'postgres://host:password-7d1c8a30f4@db.invalid/x'
  for (const args of [
    ['serve', '--store', `${url}?nothing=1`], // for a database that does not answer, it would wait
    ['export', '--store', url],
    ['replay', '--store', url],
    ['audit', '--store', url],
  ]) {
    const { code, stdout, stderr } = await runProcess(args, { cwd })
    assert.is(code, 2)
    assert.equal(sightings([password], args.join(' '), stdout + stderr), [])
  }
})

it.run()
