/* Runs the commands that the command line prints for people to paste, in a shell, exactly as they were printed. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { BIN, isBuilt } from '../../package/built.ts'
import { rootClient } from './root-client.ts'
import { folder, json, root } from './run-cli.ts'

const it = suite('hints')

type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

const place = folder()
mkdirSync(join(place, 'bin'))
symlinkSync(join(root, BIN), join(place, 'bin/countersign'))
writeFileSync(join(place, '.curlrc'), 'fail\n') // what is not found is a failure
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_'))),
  PATH: `${join(place, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  CURL_HOME: place,
  COUNTERSIGN_PORT: '0',
}

/** Starts a command line in a shell. */
const begin = (line: string, cwd: string, more: { readonly [name: string]: string } = {}) => {
  const child = spawn('sh', ['-c', `exec ${line}`], {
    cwd,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = new Promise<Ran>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  return { child, ended, out: () => stdout, said: () => stderr }
}

/** Runs a command line that has to succeed. */
const runs = async (line: string, cwd: string): Promise<Ran> => {
  const ran = await begin(line, cwd).ended
  assert.is(ran.code, 0, `${line}\n${ran.stdout}${ran.stderr}`)
  return ran
}

/** Starts a command line that serves, and gives what it has said when it listens. */
const serves = async (
  line: string,
  cwd: string,
  more?: { readonly [name: string]: string },
): Promise<{ readonly said: string; readonly stop: () => Promise<unknown> }> => {
  const { child, ended, out, said } = begin(line, cwd, more)
  children.push(child)
  while (!/^listening on /m.test(out())) {
    if (child.exitCode !== null) throw new Error(`${line}: ${said()}`)
    await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), ended])
  }
  const stop = (): Promise<unknown> => {
    child.kill('SIGTERM')
    return ended
  }
  return { said: said(), stop }
}
const children: ChildProcess[] = []
it.after(() => children.forEach((child) => child.kill('SIGKILL')))

/** The commands in a text: each from its name to the end of its line, or to a wide gap. */
const commandsIn = (text: string): readonly string[] => text.match(/(?:countersign|curl|npm) .*?(?=$| {3,})/gm) ?? []

const hintAfter = (words: string, { stdout, stderr }: Ran): string => {
  const [, hint = ''] = new RegExp(`${words} +(countersign .*)$`, 'm').exec(stdout + stderr) ?? []
  assert.is.not(hint, '', `${words}: ${stdout}${stderr}`)
  return hint
}

const runAll = async (commands: readonly string[], cwd: string): Promise<void> => {
  const scripts = Object.keys(json(join(root, 'package.json'))['scripts'] as object) // as npm wants it
  for (const command of commands) {
    const [, script] = /^npm run (\S+)$/.exec(command) ?? []
    if (script === undefined) await runs(command, cwd)
    else assert.ok(scripts.includes(script), command) // it is for a clone
  }
}

it('of init, and of a start on a terminal, are commands that succeed as they are printed', async () => {
  if (!isBuilt(root)) return console.log('   left out: the command was not built from these sources')
  const cwd = folder()
  const begun = await runs("countersign init --store 'sqlite:my data/store.db' --credentials \"my 'key'.json\"", cwd)
  await runs(hintAfter('Audit it:', begun), cwd)
  const server = await serves(hintAfter('Serve it:', begun), cwd, { COUNTERSIGN_LOG: 'pretty' })
  const commands = commandsIn(server.said)
  assert.is(commands.length, 4, server.said)
  await runAll(commands, cwd)
  const [, page = ''] = /Read +(\S+)/.exec(server.said) ?? []
  assert.ok(existsSync(join(root, page)), page)
  await server.stop()
})

it('of errors, of a first start and of votes are commands that succeed as they are printed', async () => {
  if (!isBuilt(root)) return
  const cwd = folder()
  for (const line of ['countersign request whoami', 'countersign replay']) {
    const { code, stderr } = await begin(line, cwd).ended
    assert.equal([code, commandsIn(stderr.replace(/^.*or begin with /, ''))], [2, ['countersign serve --init']], stderr)
  }
  const server = await serves('countersign serve --init', cwd, { COUNTERSIGN_LOG: 'json' })
  const logged = server.said.split('\n').filter(Boolean)
  const said = logged.map((line) => (JSON.parse(line) as { readonly msg: string }).msg).join('\n') // a line of the log
  const commands = commandsIn(said)
  assert.is(commands.length, 4, said)
  await runAll(commands, cwd)

  const client = await rootClient(join(cwd, 'data/credentials.json'))
  const { baseUrl, organizationId, userId } = json(join(cwd, 'data/credentials.json'))
  const users = ['Ada', 'Grace'].map((userName) => {
    const { publicKey, privateKey } = generateKey('API_KEY_CURVE_P256')
    const key = { apiPublicKey: publicKey, apiPrivateKey: privateKey }
    writeFileSync(join(cwd, `${userName}.json`), JSON.stringify({ baseUrl, organizationId, ...key }))
    const apiKeys = [{ apiKeyName: 'laptop', curveType: 'API_KEY_CURVE_P256', publicKey }]
    return { userName, userTags: [], authenticators: [], oauthProviders: [], apiKeys }
  })
  const { body } = await client.stamped('create_users', { users }, '_V3').send()
  const { userIds } = (body as Created).activity.result.createUsersResult
  await client.submit('update_root_quorum', { threshold: 3, userIds: [String(userId), ...userIds] })
  await client.submit('create_user_tag', { userTagName: 'treasury', userIds: [] })
  const shown = await runs('countersign show last --credentials Grace.json', cwd)
  const approved = await runs(hintAfter('you can', shown), cwd)
  await runs(hintAfter('What is missing:', approved), cwd)
  assert.match((await runs('countersign inbox --credentials Ada.json', cwd)).stdout, 'yours too')
  await server.stop()
})

type Created = {
  readonly activity: { readonly result: { readonly createUsersResult: { readonly userIds: readonly string[] } } }
}

it.run()
