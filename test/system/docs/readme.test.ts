/** A stranger's first minutes: a clone, its start, a signed request, the approval of a second person, and an audit, as README says it. */
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runPage } from './shell.ts'

const it = suite('the shell in README')

/** A clone of what is here, also of what is not committed yet. Its packages are those of this folder, as `npm ci` has installed them. */
const clone = (folder: string): void => {
  for (const name of readdirSync('.')) if (!LEFT_OUT.test(name)) cpSync(name, join(folder, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
}

const LEFT_OUT = /^(?:\.git|node_modules|dist|\.dist-.*|data|coverage)$/

const INSTALLED = `npm() { [ "$1" = ci ] || command npm "$@"; }; export npm_config_update_notifier=false`

it('prints what it says, in a clone', () => runPage('README.md', INSTALLED, { clone }))

it('starts without a flag that would win over a variable', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly scripts: { readonly start: string }
  } // npm reads it, too
  assert.not.match(scripts.start, / --(?:store|port|host|mail|sms)\b/)
})

it.run()
