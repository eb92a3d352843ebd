import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { folder, run } from './run-cli.ts'

const it = suite('the command line')

const cwd = folder()
const page = readFileSync(new URL('../../../docs/reference/command-line.md', import.meta.url), 'utf8')

/** Each mistake, and what the one line has to say. */
const mistakes: readonly (readonly [line: string, says: RegExp])[] = [
  ['sevre', /unknown command 'sevre'/],
  ['serve --prot 1', /unknown option '--prot'/],
  ['serve --port 65536', /--port .*Expected 0 to 65535/],
  ['serve --activity-timestamps iso', /--activity-timestamps .*Allowed choices are string, object/],
  [
    'serve --store mysql://user:secret@host/db',
    /unknown scheme: there are memory:, sqlite:PATH, postgres:.* and esdb:/,
  ],
  ['serve --store data/foo.db', /the store URL has no scheme; did you mean sqlite:data\/foo\.db\?/],
  ['export --store foo.db', /did you mean sqlite:foo\.db\?/],
  ['serve --store user:secret@host/db', /unknown scheme/],
  ['serve --store sqlite:', /has a path behind it/],
  ['serve --store sqlite://there/store.db', /has a path behind it/],
  ['serve --store memory:x', /nothing behind it/],
  ['serve --store memory: --oidc-issuer accounts.google.com', /--oidc-issuer: expected an https URL without query/],
  ['serve --store memory: --trusted-proxy 10.0.0.0/99', /--trusted-proxy: expected IP addresses and CIDR blocks/],
  ['serve --store memory: --host 192.0.2.1 --port 0', /cannot listen on 192.0.2.1, port 0: this machine does not have/],
  ['import none.jsonl', /required option '--store <url>' not specified/],
  ['export', /there is no store data\/countersign\.db, which is the default/],
  ['export --store sqlite:none.db', /cannot open the store none.db: there is no such file or directory/],
  ['import none.jsonl --store sqlite:new.db', /cannot read none.jsonl: there is no such file/],
  ['import . --store sqlite:new.db', /cannot read .: it is a directory/],
  ['replay --store sqlite:none.db --at yesterday', /--at: expected a position \(digits alone\) or a date/],
  ['replay --store memory: --activity 7', /expected a UUID/],
  ['request whoami --credentials none.json', /there is no file none.json/],
  ['keygen --curve p521', /--curve .*Allowed choices are p256, secp256k1, ed25519/],
  ['new', /missing required argument 'folder'/],
  ['audit', /expected a file, or --store/],
  ['proxy --config none.json', /expected --api, the URL of the server/],
  ['proxy --api http://127.0.0.1:1', /expected --config, the file of keys that proxy init has written/],
  ['proxy --api http://127.0.0.1:1 --config none.json', /there is no file none.json/],
  ['proxy --port 65536', /--port .*Expected 0 to 65535/],
]

for (const [line, says] of mistakes) {
  it(`answers a mistake in one line: ${line}`, async () => {
    const { code, stdout, stderr } = await run(line.split(' ').filter(Boolean), { cwd })
    assert.match(stderr, says)
    assert.match(stderr, /^countersign: [^\n]+\n$/)
    assert.not.match(stderr, 'secret')
    assert.is(stdout, '')
    assert.is(code, 2)
  })
}

const groups = ['', 'policy', 'webhooks', 'keystore']

for (const group of groups) {
  it(`prints the help where a command is missing: countersign ${group}`, async () => {
    const words = group.split(' ').filter(Boolean)
    const help = await run([...words, '--help'], { cwd })
    assert.match(help.stdout, /^Commands:$/m)
    assert.equal([help.code, (await run(['help', ...words], { cwd })).code], [0, 0])
    assert.equal(await run(words, { cwd }), { code: 2, signal: null, stdout: '', stderr: help.stdout })
  })
}

it('says the same of a variable that stands for a flag', async () => {
  const { code, stderr } = await run(['serve'], { cwd, env: { COUNTERSIGN_PORT: 'http' } })
  assert.match(stderr, /^countersign: .*COUNTERSIGN_PORT.*Expected 0 to 65535.*\n$/)
  assert.is(code, 2)
})

it('has help for every command, with an example, and a page that names every flag', async () => {
  const help = await run(['--help'], { cwd })
  assert.is(help.code, 0)
  const approvals = ['inbox', 'activities', 'show', 'approve', 'reject', 'watch']
  const commands = [
    'serve',
    'init',
    'keygen',
    'new',
    'doctor',
    'request',
    ...approvals,
    'export',
    'import',
    'copy',
    'replay',
    'audit',
    'proxy',
  ]
  const helps = await Promise.all(commands.map((command) => run([command, '--help'], { cwd })))
  for (const [index, command] of commands.entries()) {
    assert.match(help.stdout, new RegExp(`^  ${command} `, 'm'))
    assert.match(helps[index]?.stdout ?? '', new RegExp(`Example:\\n  \\$ countersign ${command} `))
    assert.equal([helps[index]?.code, helps[index]?.stderr], [0, ''])
    const section = page.split(/^## /m).find((text) => text.startsWith(`${command}\n`)) ?? ''
    for (const [flag] of (helps[index]?.stdout ?? '').matchAll(/--(?!help)[a-z-]+(?= <| {2})/g))
      assert.match(section, flag, `${command} ${flag}`)
  }
})

it('has the same for the commands of groups', async () => {
  const policies = ['check', 'explain', 'simulate'].map((name) => ['policy', name] as const)
  const webhooks = ['rotate-key', 'secret', 'listen'].map((name) => ['webhooks', name] as const)
  for (const [group, name] of [...policies, ...webhooks]) {
    const { code, stdout } = await run([group, name, '--help'], { cwd })
    assert.is(code, 0)
    assert.match(stdout, new RegExp(`Example:\\n  \\$ countersign ${group} ${name} `))
    const section = page.split(/^## /m).find((text) => text.startsWith(`${group} ${name}\n`)) ?? ''
    for (const [flag] of stdout.matchAll(/--(?!help)[a-z-]+(?= <| {2})/g))
      assert.match(section, flag, `${group} ${name} ${flag}`)
  }
})

it('names a variable for every flag of serve', async () => {
  const { stdout } = await run(['serve', '--help'], { cwd })
  const text = stdout.replace(/\s+/g, ' ')
  for (const flag of text.matchAll(/--([a-z-]+) </g))
    assert.match(text, `env: COUNTERSIGN_${(flag[1] ?? '').toUpperCase().replaceAll('-', '_')})`)
})

it('says its version', async () => {
  const { code, stdout } = await run(['--version'], { cwd })
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
  assert.is(code, 0)
})

it.run()
