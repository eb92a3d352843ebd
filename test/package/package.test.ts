/**
 * Installs the package as a host would, and runs what the README promises: the block of code after `<!-- embed -->`,
 * from JavaScript, from TypeScript and from CommonJS.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { seenOfVaults } from './vaults/seen.ts'

const it = suite('the package')

const embed = existsSync('README.md')
  ? /<!-- embed -->\s*```\w+\n(.*?)```/s.exec(readFileSync('README.md', 'utf8'))?.[1]
  : undefined
const itEmbeds = embed === undefined ? it.skip : it
if (embed === undefined) console.log('README.md has no block after <!-- embed -->: its example is not run')

const host = mkdtempSync(join(tmpdir(), 'countersign-host-'))

it.before(() => {
  writeFileSync(join(host, 'package.json'), '{ "name": "host", "private": true }')
  const packed = run(process.cwd(), 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', host).trim()
  try {
    run(host, 'npm', 'install', '--silent', '--prefer-offline', '--ignore-scripts', '--fetch-retries=0', `./${packed}`)
  } catch {
    console.log('npm cannot install here: the package is unpacked, and its dependencies are linked')
    link(packed)
  }
})

it.after(() => rmSync(host, { recursive: true, force: true }))

it('carries its documents and no sources', () => {
  const root = join(host, 'node_modules/countersign')
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'docs/README.md', 'dist/core/index.d.ts'])
    assert.ok(existsSync(join(root, file)), file)
  for (const file of ['core', 'test', 'tsconfig.json']) assert.not.ok(existsSync(join(root, file)), file)
})

it('runs nothing at its installation', () => {
  const manifest = readFileSync(join(host, 'node_modules/countersign/package.json'), 'utf8')
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> }
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) assert.not.ok(name in scripts, name)
})

it('brings no client of a database that the host may not use', () =>
  assert.not.ok(existsSync(join(host, 'node_modules/@eventstore'))))

it('offers the command', () => {
  assert.match(run(host, process.execPath, 'node_modules/countersign/dist/bin/countersign.js', '--help'), 'countersign')
})

it('writes a project that npm installs from it, and whose test passes', () => {
  run(host, process.execPath, 'node_modules/countersign/dist/bin/countersign.js', 'new', 'project')
  const project = join(host, 'project')
  run(project, 'npm', 'install', '--silent', '--offline', '--ignore-scripts')
  assert.match(run(project, 'npm', 'test'), /^# pass 2$/m)
})

it('can be required from CommonJS', () => {
  writeFileSync(join(host, 'required.cjs'), `console.log(typeof require('countersign').createEngine)`)
  assert.is(run(host, process.execPath, 'required.cjs').trim(), 'function')
})

it('lets a host wait, bring its own clock and ids, call off, and close without losing anything', () => {
  copyFileSync('test/package/host-program.mjs', join(host, 'host-program.mjs'))
  const seen: unknown = JSON.parse(run(host, process.execPath, 'host-program.mjs', join(host, 'host.db')))
  assert.equal(seen, {
    processed: 'done',
    abortedWait: 'ABORTED',
    createdByItsClock: true,
    ids: true,
    aborted: 'ABORTED',
    drained: 'ACTIVITY_STATUS_COMPLETED',
    afterClose: 'UNAVAILABLE',
    kept: ['a year ahead', 'while it closes'],
  })
})

it('takes a resource of a host in another package: one folder, and one line in a list', () => {
  cpSync('test/package/vaults', join(host, 'vaults'), { recursive: true })
  writeFileSync(join(host, 'vaults/package.json'), '{ "type": "module" }')
  const tsx = pathToFileURL(resolve('node_modules/tsx/dist/loader.mjs')).href
  const program = ['--import', tsx, 'vaults/host-with-vaults.ts', join(host, 'vaults.db')]
  assert.equal(JSON.parse(run(host, process.execPath, ...program)), seenOfVaults)
})

it('puts an engine together from the parts of a container', () => {
  const program = `
    import { createEngine } from 'countersign'
    import { engineContainer, engineOptions, tokens } from 'countersign/container'
    import { memoryStore } from 'countersign/store-memory'
    const parts = engineContainer(memoryStore()).register(tokens.resources, { useValue: [] })
    const engine = await createEngine(engineOptions(parts))
    console.log(engine.catalogue.byPath('create_user_tag'))
    await engine.close()`
  writeFileSync(join(host, 'container.mjs'), program)
  assert.is(run(host, process.execPath, 'container.mjs').trim(), 'undefined')
})

itEmbeds('runs the example of the README from JavaScript', () => {
  writeFileSync(join(host, 'embed.mjs'), embed ?? '')
  assert.is.not(run(host, process.execPath, 'embed.mjs'), '')
})

itEmbeds('finds one organization when the example of the README runs again, also after it was killed', () => {
  const bin = join(host, 'node_modules/countersign/dist/bin/countersign.js')
  for (const point of ['', 'init-after-file', 'init-after-organization', 'init-after-credentials']) {
    const cwd = join(host, `again-${point}`)
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'embed.mjs'), embed ?? '')
    if (point !== '') {
      const env = { ...process.env, COUNTERSIGN_CRASH_AT: point }
      assert.is(spawnSync(process.execPath, ['embed.mjs'], { cwd, env }).signal, 'SIGKILL', point)
    }
    const seen = [1, 2].map(() => run(cwd, process.execPath, 'embed.mjs'))
    const [id] = seen.map((line) => line.split(' ')[0])
    assert.ok(
      seen.every((line) => line.startsWith(`${id} `)),
      seen.join(''),
    )
    const log = run(cwd, process.execPath, bin, 'export', '--store', 'sqlite:activities.db')
    const organizations = new Set(log.match(/"organization":"[^"]+"/g))
    assert.equal([...organizations], [`"organization":"${id}"`])
  }
})

itEmbeds('type-checks the example of the README, and runs it from TypeScript', () => {
  for (const name of ['@types/node', 'undici-types']) linkDependency(name)
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--outDir', 'compiled']
  writeFileSync(join(host, 'embed.mts'), embed ?? '')
  run(host, process.execPath, resolve('node_modules/typescript/bin/tsc'), ...options, 'embed.mts')
  assert.is.not(run(host, process.execPath, 'compiled/embed.mjs'), '')
})

itEmbeds('runs the example of the README from CommonJS', () => {
  const required = (embed ?? '').replace(
    /^import \{([^}]*)\} from ('[^']+')/gm,
    (_, names: string, from: string) => `const {${names.replaceAll(' as ', ': ')}} = require(${from})`,
  )
  writeFileSync(join(host, 'embed.cjs'), `(async () => {\n${required}\n})()`)
  assert.is.not(run(host, process.execPath, 'embed.cjs'), '')
})

const run = (cwd: string, command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const link = (packed: string): void => {
  const root = join(host, 'node_modules/countersign')
  rmSync(join(host, 'node_modules'), { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  run(host, 'tar', '--extract', '--file', packed, '--directory', root, '--strip-components', '1')
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }
  for (const name of Object.keys(dependencies)) linkDependency(name)
}

const linkDependency = (name: string): void => {
  const target = join(host, 'node_modules', name)
  if (existsSync(target)) return
  mkdirSync(dirname(target), { recursive: true })
  symlinkSync(resolve('node_modules', name), target)
}

it.run()
