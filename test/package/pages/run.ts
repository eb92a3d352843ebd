/**
 * Runs the TypeScript of README and `docs/`, and the shell of the guides, as a reader copies them: in a project that has the packed
 * package, installed with hoisting and strictly. Run it after a build. The last line is `N passed, N failed`.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as assert from 'uvu/assert'
import { compileBy } from '../../compiler.ts'
import { modules } from '../../system/docs/modules.ts'
import { runPage, shellPages } from '../../system/docs/shell.ts'
import { declarations, unnamed } from './declarations.ts'
import { installed, oldestCompiler, OLDEST_TYPESCRIPT, packed, type Strategy } from './host.ts'
import { runModule } from './run-module.ts'

const NEWEST = resolve('node_modules/typescript/bin/tsc')
const STRICT = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']

const totals = { passed: 0, failed: 0 }
const check = async (name: string, run: () => void | Promise<void>): Promise<void> => {
  try {
    await run()
    totals.passed += 1
    console.log(`ok      ${name}`)
  } catch (error) {
    totals.failed += 1
    console.log(`FAILED  ${name}\n${messageOf(error)}`)
  }
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof assert.Assertion))
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `${error.message}\n${error.details || `${String(error.actual)}\n${String(error.expects)}`}`
}

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'countersign-pages-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const tarball = packed(folder)
  const oldest = oldestCompiler(folder)
  for (const strategy of ['hoisted', 'linked'] as const)
    await pagesIn(installed(folder, tarball, strategy), strategy, oldest)
  console.log(`${totals.passed} passed, ${totals.failed} failed`)
  process.exitCode = totals.failed > 0 ? 1 : 0
}

const pagesIn = async (host: string, strategy: Strategy, oldest: string): Promise<void> => {
  const all = modules()
  const names = all.map(({ name }) => `${name}.ts`)
  // The programs of others may have the ports of the pages.
  for (const { name, text } of all) writeFileSync(join(host, `${name}.ts`), text.replace('.listen(3000)', '.listen(0)'))
  await check(`${strategy}: every page compiles, with declarations`, () =>
    assert.is(
      compileBy(NEWEST, host, [...STRICT, '--declaration', '--skipLibCheck', '--outDir', 'compiled', ...names]),
      '',
    ),
  )
  writeFileSync(join(host, 'inferred.ts'), readFileSync('test/package/host-types/inferred.ts'))
  for (const [compiler, version] of [
    [oldest, OLDEST_TYPESCRIPT],
    [NEWEST, 'the newest version'],
  ] as const)
    await check(`${strategy}: TypeScript ${version} infers the same types, and reads our declarations`, () =>
      assert.is(
        compileBy(compiler, host, [
          ...STRICT,
          '--declaration',
          '--noUncheckedIndexedAccess',
          '--outDir',
          'inferred',
          'inferred.ts',
        ]),
        '',
      ),
    )
  await check(`${strategy}: every type that a host may export has a name`, async () => {
    mkdirSync(join(host, 'exported'))
    const files = await declarations(host)
    assert.ok(files.size > 200)
    for (const [name, text] of files) writeFileSync(join(host, 'exported', name), text)
    const args = [...STRICT, '--declaration', '--emitDeclarationOnly', '--skipLibCheck', '--outDir', 'declared']
    const said = compileBy(NEWEST, host, [...args, ...[...files.keys()].map((name) => `exported/${name}`)])
    assert.equal(unnamed(said), [])
  })
  for (const one of all) await check(`${strategy}: ${one.name} runs`, () => runModule(one, host))
  if (strategy === 'hoisted') return // commands find what they import in the other one, too
  const [dist, command] = [join(host, 'node_modules/countersign/dist'), join(host, 'node_modules/.bin/countersign')]
  for (const [path, before] of shellPages)
    await check(`${strategy}: the shell of ${path}`, () => runPage(path, before, { dist, command }))
}

await main()
