import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { exported } from '../../core/audit/logs.ts'
import { clientKey, office, PLAIN, sendCode, verify } from '../../core/resources/otp/scene.ts'
import { right } from '../../core/world/world.ts'
import { folder, run, type Ended } from './run-cli.ts'

const it = suite('the file of --keys')

const cwd = folder()
const cli = (...args: readonly string[]): Promise<Ended> => run(['audit', 'log.jsonl', ...args], { cwd })

it.before(async () => {
  const w = await office()
  const { otpId } = await sendCode(w, w.root, undefined, PLAIN)
  const verificationToken = await verify(w, w.root, otpId, w.mails.at(-1)?.secret ?? '')
  const userEmail = 'ada@example.com'
  await w.done(w.root, 'update_user_email', { userId: w.root.userId, userEmail, verificationToken })
  writeFileSync(join(cwd, 'log.jsonl'), await exported(w.storage.store))
  const keys = right(await w.engine.deploymentKeys()())
  writeFileSync(join(cwd, 'keys.json'), JSON.stringify({ keys }))
  const others = keys.map((key) => ({ ...key, publicKey: clientKey().publicKey }))
  writeFileSync(join(cwd, 'others.json'), JSON.stringify({ keys: others }))
  writeFileSync(join(cwd, 'signer.json'), JSON.stringify({ keys: keys.filter(({ purpose }) => purpose === 'signer') }))
  writeFileSync(join(cwd, 'broken.json'), '{')
  await w.close()
})

it('lets an audit check what rests on tokens, which it believes otherwise', async () => {
  const [without, given] = [await cli(), await cli('--keys', 'keys.json')]
  assert.equal([without.code, given.code], [0, 0])
  assert.match(
    without.stdout,
    /^2 events are believed: .*, or the keys that sign verification tokens, which --keys gives$/m,
  )
  assert.not.match(given.stdout, 'believed')
})

it('makes a finding of tokens that other keys have signed, and of what may not be believed', async () => {
  const others = await cli('--keys', 'others.json')
  assert.is(others.code, 1)
  assert.match(others.stdout, 'REQUEST_DIFFERS')
  const none = await cli('--believed-max', '0')
  assert.is(none.code, 1)
  assert.match(
    none.stdout,
    /AUDIT_IMPOSSIBLE {2}the event rests on what the audit was not given \(.*keys.*\); at most 0/,
  )
})

it('has a key for verification, as a server publishes it', async () => {
  for (const [file, says] of [
    ['signer.json', 'cannot use signer.json: expected what GET /public/v1/discovery/keys answers'],
    ['broken.json', 'cannot use broken.json: expected what GET /public/v1/discovery/keys answers'],
    ['none.json', 'none.json'],
  ] as const) {
    const { code, stderr, stdout } = await cli('--keys', file)
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, says)
    assert.match(stderr, /^countersign: [^\n]+\n$/)
  }
})

it.run()
