import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { knownResources } from '../../../adapters/cli/known-resources.ts'
import { folder, json, program, run, runProcess, serve, type RunOptions } from './run-cli.ts'

const it = suite('the resources of a host on the command line')

const root = fileURLToPath(new URL('../../..', import.meta.url))
const cwd = folder()

/** A module of a host, in plain JavaScript; in TypeScript with a type that Node 20 cannot read. */
const moduleOf = (more = ''): string => `
import { operation, port, resource, state, t } from 'countersign'
const motto = state({ name: 'motto', version: 1, codec: t.fields({ text: t.string }), initial: () => ({ text: '' }) })
const setMotto = operation({
  type: 'ACTIVITY_TYPE_SET_MOTTO', path: 'set_motto', summary: 'Sets the motto.', resource: 'MOTTO', action: 'UPDATE',
  intent: t.fields({ motto: t.Label }), result: t.fields({}), change: t.fields({ motto: t.string }),
  execute: (intent) => ({ result: {}, change: { motto: intent.motto } }),
  evolve: (draft, change) => void (motto.in(draft).text = change.motto),
})
export const mottos = resource({ name: 'mottos', states: [motto], operations: [setMotto] })
${more}`

/** The same, whose operation asks a service of the module before it is decided on. */
const censored = moduleOf('export const ports = { censor: { isAllowed: (text) => text !== "be unkind" } }').replace(
  'execute:',
  `inspectNeeds: { censor: port() }, inspect: ({ motto }, { ports }) => ports.censor.isAllowed(motto), execute:`,
)

it.before(() => {
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(root, join(cwd, 'node_modules/countersign'))
  symlinkSync(join(root, 'node_modules/io-ts'), join(cwd, 'node_modules/io-ts'))
  writeFileSync(join(cwd, 'resources.mjs'), censored)
  writeFileSync(join(cwd, 'resources.mts'), moduleOf('export const version: number = 1'))
  writeFileSync(join(cwd, 'nothing.mjs'), 'export const a = [1, undefined, null]')
})

const cli = (line: string, options: Partial<RunOptions> = {}) => runProcess(line.split(' '), { cwd, ...options })

it('serves the operations of a host, by the flag or the variable, and finds them in the log with the same flag', async () => {
  for (const [flags, env] of [
    [['--resources', 'resources.mjs'], {}],
    [[], { COUNTERSIGN_RESOURCES: 'resources.mjs' }],
  ] as const) {
    const server = await serve(['--store', 'sqlite:store.db', '--init', '--credentials', 'c.json', ...flags], {
      cwd,
      env,
    })
    const body = JSON.stringify({ type: 'ACTIVITY_TYPE_SET_MOTTO', parameters: { motto: 'be kind' } })
    const asked = await run(['request', 'submit/set_motto', body, '--credentials', 'c.json'], { cwd })
    assert.match(asked.stdout, '"ACTIVITY_STATUS_COMPLETED"')
    assert.is((await server.stop()).code, 0)
  }
  const replay = `replay --store sqlite:store.db --organization ${String(json(join(cwd, 'c.json'))['organizationId'])}`
  const known = await cli(`${replay} --resources resources.mjs`)
  assert.match(known.stdout, '"text": "be kind"')
  assert.match((await cli(replay, { env: { COUNTERSIGN_RESOURCES: 'resources.mjs' } })).stdout, '"text": "be kind"')
  const honest = await cli('audit --store sqlite:store.db --resources resources.mjs')
  assert.is(honest.code, 0)
  assert.not.match(honest.stdout, 'believed') // it has the services of the module, too

  const without = await cli(replay)
  assert.match(without.stderr, /ACTIVITY_TYPE_SET_MOTTO: if it is of a host, .* --resources FILE\n$/)
  const audited = await cli('audit --store sqlite:store.db')
  assert.match(audited.stdout, /^OPERATION_UNKNOWN: .* --resources FILE$/m)
  const unknown = await cli('request set_motto {} --credentials c.json')
  assert.match(unknown.stderr, /no operation or query is called set_motto; .*--resources/)
})

it('says of a module in one line why it cannot be used', async () => {
  for (const [module, says] of [
    ['none.mjs', /cannot load none\.mjs: Cannot find module/],
    ['nothing.mjs', /nothing\.mjs exports no resource/],
  ] as const) {
    const { code, stderr, stdout } = await cli(`serve --store sqlite:unmade.db --port 0 --resources ${module}`)
    assert.match(stderr, says)
    assert.match(stderr, /^countersign: [^\n]+\n$/)
    assert.equal([code, stdout, existsSync(join(cwd, 'unmade.db'))], [2, '', false])
  }
})

it('takes TypeScript where Node does, and says elsewhere which Node does', async () => {
  if (program.length > 1) return console.log('   left out: the command runs with a loader for TypeScript')
  const { code, stderr } = await cli('audit none.jsonl --resources resources.mts')
  const major = Number(process.versions.node.split('.')[0])
  if (major >= 24) assert.match(stderr, /cannot read none\.jsonl/)
  else assert.match(stderr, /^countersign: cannot load resources\.mts: Node [\d.]+ runs no TypeScript: .*Node 24\n$/)
  assert.is(code, 2)
})

it('says which services a module does not export', async () => {
  const needy = moduleOf()
    .replace("resource: 'MOTTO',", "resource: 'MOTTO', ")
    .replace(
      'execute: (intent)',
      'perform: { needs: { payments: {} }, outside: true, run: () => ({}) }, execute: (intent)',
    )
  writeFileSync(join(cwd, 'needy.mjs'), needy)
  const { code, stderr } = await cli('serve --store memory: --port 0 --resources needy.mjs')
  assert.match(stderr, /ports: expected payments \(needed by set_motto\): export them with the name ports/)
  assert.is(code, 2)
  writeFileSync(join(cwd, 'served.mjs'), `${needy}\nexport const ports = { payments: {} }`)
  const server = await serve(['--store', 'memory:', '--resources', 'served.mjs'], { cwd })
  assert.is((await server.stop()).code, 0)
})

it('has only the built-in resources without a module', async () => {
  assert.ok((await knownResources(undefined)).byPath('create_users'))
})

it.run()
