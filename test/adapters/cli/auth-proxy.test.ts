import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folder, json, run, serve } from './run-cli.ts'

const it = suite('the auth proxy of a server')

const cwd = folder()

const asked = async (line: readonly string[]): Promise<{ readonly [member: string]: unknown }> => {
  const { code, stdout, stderr } = await run(['request', ...line, '--credentials', 'root.json'], { cwd })
  assert.is(code, 0, stderr)
  return JSON.parse(stdout) as { readonly [member: string]: unknown } // what the command prints
}

it('has keys that proxy init makes, and never replaces', async () => {
  const made = await run(['proxy', 'init', '--out', 'keys/proxy.json'], { cwd })
  assert.equal([made.code, made.stdout], [0, ''])
  assert.match(
    made.stderr,
    /keys\/proxy\.json\. Keep it secret.*keys\/proxy\.pub\.json to the server, with --auth-proxy/,
  )
  if (process.platform !== 'win32') assert.is(statSync(join(cwd, 'keys/proxy.json')).mode & 0o777, 0o600)
  const before = json(join(cwd, 'keys/proxy.json'))
  const again = await run(['proxy', 'init', '--out', 'keys/proxy.json'], { cwd })
  assert.is(again.code, 2)
  assert.match(again.stderr, /^countersign: keys\/proxy\.json is there already[^\n]*\n$/)
  assert.equal(json(join(cwd, 'keys/proxy.json')), before)
  const nowhere = await run(['proxy', 'init'], { cwd })
  assert.match(nowhere.stderr, /required option '--out <file>' not specified/)
})

it('is let in by an organization of a server that has its public keys', async () => {
  const flags = ['--store', 'sqlite:store.db', '--init', '--credentials', 'root.json']
  const without = await serve(flags, { cwd })
  const refused = await run(['request', 'enable_auth_proxy', '--credentials', 'root.json'], { cwd })
  assert.match(refused.stderr + refused.stdout, /it has no ports\.authProxy/)
  await without.stop()
  const server = await serve(flags, { cwd, env: { COUNTERSIGN_AUTH_PROXY: 'keys/proxy.pub.json' } })
  await asked(['enable_auth_proxy'])
  const { authProxyConfig } = await asked(['get_auth_proxy_config'])
  const { isEnabled, encryptedApiKey } = authProxyConfig as { readonly [member: string]: unknown }
  assert.equal([isEnabled, encryptedApiKey], [true, undefined])
  await server.stop()
})

it('stops a server that is given something else, before it makes any file', async () => {
  for (const [file, says] of [
    ['none.json', /there is no file none\.json/],
    ['keys/proxy.json', /keys\/proxy\.json is not a file with the public keys of a proxy: .*no field but those/],
  ] as const) {
    const { code, stderr } = await run(['serve', '--store', 'sqlite:new.db', '--auth-proxy', file], { cwd })
    assert.is(code, 2)
    assert.match(stderr, says)
    const { signing } = json(join(cwd, 'keys/proxy.json')) as { readonly signing: { readonly privateKey: string } }
    assert.not.ok(stderr.includes(signing.privateKey))
    assert.not.ok(existsSync(join(cwd, 'new.db')))
  }
})

it.run()
