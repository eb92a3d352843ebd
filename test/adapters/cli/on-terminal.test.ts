import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { barText } from '../../../adapters/cli/progress.ts'
import { office } from './inbox.ts'
import { leaver } from './leaver.ts'
import { rootClient } from './root-client.ts'
import { right, world } from '../../core/world/world.ts'
import { folder, json, run, serve } from './run-cli.ts'
import { CTRL_C, hasTerminals, isRestored, matchesScreen, onTerminal, stable } from './terminal.ts'

const it = suite('the command line on a terminal')

const cwd = folder()
const GOLDEN = readFileSync(join(import.meta.dirname, '../../system/golden/log.jsonl'), 'utf8')

it.before(() => {
  const times = Math.ceil(60_000_000 / GOLDEN.length)
  writeFileSync(join(cwd, 'long.jsonl'), GOLDEN.repeat(times)) // not valid after its first part, but an audit of it is not over before it is stopped
})

it('shows where a server is and what it answers, until Ctrl-C', async () => {
  if (!hasTerminals()) return
  const serve = onTerminal(['serve', '--port', '0', '--init'], { cwd, columns: 300 })
  await serve.until(/listening on/)
  const url = String(json(join(cwd, 'data/credentials.json'))['baseUrl'])
  await fetch(`${url}/healthz`)
  await fetch(`${url}/nowhere`)
  await serve.until(/ROUTE_NOT_FOUND/)
  serve.press(CTRL_C)
  assert.is((await serve.ended).exitCode, 0)
  matchesScreen('serve', await serve.screen())
  assert.match(serve.written(), '\u001b[36mhttp://') // in colour
  assert.ok(isRestored(serve.written()))
})

it('shows the same without colours, in twenty columns, and ends at a SIGTERM that comes twice', async () => {
  if (!hasTerminals()) return
  const env = { NO_COLOR: '1' }
  const serve = onTerminal(['serve', '--store', 'memory:', '--port', '0'], { cwd, columns: 20, env })
  await serve.until(/listening on/)
  serve.kill('SIGTERM')
  serve.kill('SIGTERM')
  assert.is((await serve.ended).exitCode, 0)
  assert.not.match(serve.written(), '\u001b[')
  assert.match((await serve.screen()).replaceAll('\n', ''), 'none: begin one with --init')
})

it('prints JSON on a terminal that asks for it', async () => {
  if (!hasTerminals()) return
  const serve = onTerminal(['serve', '--store', 'memory:', '--port', '0', '--log', 'json'], { cwd, columns: 400 })
  await serve.until(/listening on/)
  serve.press(CTRL_C)
  assert.is((await serve.ended).exitCode, 0)
  const lines = (await serve.screen()).split('\n').filter((line) => line.startsWith('{'))
  assert.ok(lines.length > 0 && lines.every((line) => typeof JSON.parse(line) === 'object'))
})

it('shows the inbox, and watches it until Ctrl-C', async () => {
  if (!hasTerminals()) return
  const place = folder()
  const { server, ask } = await office(place)
  const as = (...args: readonly string[]) =>
    onTerminal([...args, '--credentials', 'grace.json'], { cwd: place, columns: 200 })
  const empty = as('inbox')
  assert.is((await empty.ended).exitCode, 0)
  const watch = as('watch', '--every-seconds', '1')
  await watch.until(/Watching/)
  const id = await ask('treasury')
  await watch.until(/by Ada/)
  const listed = as('inbox')
  await listed.ended
  const shown = as('show', id)
  await shown.ended
  const declined = as('reject', 'last')
  await declined.until(/Type yes/)
  declined.press('no\r')
  assert.is((await declined.ended).exitCode, 1)
  const approved = as('approve', 'last')
  await approved.until(/Type yes/)
  approved.press('yes\r')
  assert.is((await approved.ended).exitCode, 0)
  await watch.until(/create_user_tag .* is completed/)
  watch.press(CTRL_C)
  assert.is((await watch.ended).exitCode, 0)
  await server.stop()
  const pages = await Promise.all([empty, listed, shown, declined, approved].map(({ screen }) => screen()))
  matchesScreen(
    'inbox',
    stable(pages.join('\n'))
      .replaceAll(/AGO +/g, 'AGO  ')
      .replaceAll(/WHEN +/g, 'WHEN  '),
  )
  assert.match(stable(await watch.screen()), /create_user_tag {2}by Ada {2}AGO {2}is completed\n {2}ID\n\^C\n$/)
  assert.ok([empty, watch, listed, shown, declined, approved].every(({ written }) => isRestored(written())))
})

it('asks before it erases, and erases only after a yes', async () => {
  if (!hasTerminals()) return
  const place = folder()
  const server = await serve(['--store', 'sqlite:store.db', '--init', '--credentials', 'root.json', '--erasure'], {
    cwd: place,
  })
  const { userId } = await leaver(await rootClient(join(place, 'root.json')), 'Mallory')
  const erase = (...more: readonly string[]) =>
    onTerminal(['erase', '--user', userId, '--credentials', 'root.json', ...more], { cwd: place })
  const dry = erase('--dry-run')
  assert.is((await dry.ended).exitCode, 0)
  const declined = erase()
  await declined.until(/Type yes/)
  declined.press('no\r')
  assert.is((await declined.ended).exitCode, 1)
  const interrupted = erase()
  await interrupted.until(/Type yes/)
  interrupted.press(CTRL_C)
  await interrupted.ended
  const erased = erase()
  await erased.until(/Type yes/)
  erased.press('yes\r')
  assert.is((await erased.ended).exitCode, 0)
  await server.stop()
  const pages = await Promise.all([dry, declined, erased].map(({ screen }) => screen()))
  matchesScreen('erase', pages.join('\n'))
  assert.not.match(await interrupted.screen(), 'Erased')
  assert.ok([dry, declined, interrupted, erased].every(({ written }) => isRestored(written())))
})

it('simulates and explains policies with a bar, of which nothing is left', async () => {
  if (!hasTerminals()) return
  const place = folder()
  const { close, done, root } = await world({ store: right(await openSqliteStore({ path: join(place, 'c.db') })()) })
  const { id } = await done(root, 'create_user_tag', { userTagName: 'tag', userIds: [] })
  const renamed = Array.from({ length: 2_500 }, (_, n) =>
    done(root, 'update_user', { userId: root.userId, userName: `${n}` }),
  )
  await Promise.all(renamed)
  await close()
  writeFileSync(join(place, 'none.json'), '[]')
  for (const [args, ends] of [
    [['policy', 'simulate', '--store', 'sqlite:c.db', '--policies', 'none.json'], /none comes out otherwise/],
    [['policy', 'explain', '--store', 'sqlite:c.db', '--activity', id], /ALLOWED/],
  ] as const) {
    const shown = onTerminal(args, { cwd: place })
    assert.is((await shown.ended).exitCode, 0)
    assert.match(await shown.screen(), ends)
    assert.not.match(await shown.screen(), ' %')
    assert.match(shown.written(), / %.*events/)
    assert.ok(isRestored(shown.written()))
  }
})

it('audits with a bar, which Ctrl-C takes away', async () => {
  if (!hasTerminals()) return
  const audit = onTerminal(['audit', 'long.jsonl'], { cwd })
  matchesScreen('audit-bar', await audit.until(/events/))
  audit.press(CTRL_C)
  await audit.ended
  assert.is(await audit.screen(), '\n') // also without the ^C of the terminal
  assert.ok(isRestored(audit.written()))
})

it('audits with a bar in twenty columns, which does not wrap, and which SIGTERM takes away', async () => {
  if (!hasTerminals()) return
  const audit = onTerminal(['audit', 'long.jsonl'], { cwd, columns: 20 })
  const shown = await audit.until(/ %/)
  assert.is(shown.trimEnd().split('\n').length, 1)
  assert.is(shown.trimEnd().length, barText({ total: 1n, done: 0n, count: 0, unit: 'events', elapsedMs: 0 }, 20).length)
  audit.kill('SIGTERM')
  audit.kill('SIGTERM')
  await audit.ended
  assert.is(await audit.screen(), '\n')
  assert.ok(isRestored(audit.written()))
})

it('takes the bar away when the work ends with an error', async () => {
  if (!hasTerminals()) return
  const imported = onTerminal(['import', 'long.jsonl', '--store', 'sqlite:never.db'], { cwd })
  assert.is((await imported.ended).exitCode, 2)
  assert.match(await imported.screen(), /^countersign: nothing can be imported: line \d+: [^]+$/)
  assert.ok(isRestored(imported.written()))
})

it('shows the report of an audit, and what an export has written', async () => {
  if (!hasTerminals()) return
  const place = folder()
  await run(['init', '--credentials', 'data/credentials.json'], { cwd: place })
  const exported = onTerminal(['export', '--out', 'log.jsonl'], { cwd: place })
  await exported.ended
  const audit = onTerminal(['audit', 'log.jsonl', '--keep-heads', 'heads.json'], { cwd: place, columns: 160 })
  await audit.ended
  const size = /[\d.]+ kB/
  matchesScreen('audit', `${(await exported.screen()).replace(size, 'N kB')}\n${await audit.screen()}`)
})

it.run()
