import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compile } from '../../compiler.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const it = suite('a third kind of credential')

const LIST = 'core/organization/credential.ts'
const COPIED = ['core', 'adapters/signatures', 'test/core/policy/any.ts', 'test/core/organization', 'package.json']

/** A copy of the library that knows badges: an import and an entry of the list, and nothing else. */
const copyWithBadges = (to: string): void => {
  for (const path of COPIED) cpSync(path, join(to, path), { recursive: true })
  symlinkSync(resolve('node_modules'), join(to, 'node_modules'))
  const before = readFileSync(LIST, 'utf8')
  const list = 'const kinds = { '
  assert.is(before.split(list).length, 2)
  const imported = "import { badge } from '../../test/core/organization/badge.ts'\n"
  writeFileSync(join(to, LIST), imported + before.replace(list, `${list}badge, `))
  const options = { extends: resolve('tsconfig.json'), include: ['core', 'test/core/organization/badge*.ts'] }
  writeFileSync(join(to, 'tsconfig.json'), JSON.stringify(options))
}

it('is a definition and an entry in a list', async () => {
  const copy = await temporaryFolder()
  try {
    copyWithBadges(copy.path)
    assert.is(compile(copy.path, ['-p', '.']), '')
    const said = execFileSync(process.execPath, ['--import', 'tsx', 'test/core/organization/badge-program.ts'], {
      cwd: copy.path,
      encoding: 'utf8',
    })
    const place = 'organizationId=organization number='
    assert.equal(JSON.parse(said), {
      name: { kind: 'badge', name: '7' },
      caller: 'ada-badge',
      otherBody: `SIGNATURE_INVALID could not verify badge signature ${place}7`,
      otherNumber: `CREDENTIAL_NOT_FOUND could not find badge ${place}8`,
      expired: `API_KEY_EXPIRED expired api key ${place}7`,
      audited: [[], 1],
      otherScheme: [['STAMP_INVALID'], 0],
      facts: [['CREDENTIAL_TYPE_BADGE', '7']],
      taken: [true, false],
      snapshot: true,
      removed: `CREDENTIAL_NOT_FOUND could not find badge ${place}7`,
    })
  } finally {
    await copy.remove()
  }
})

it.run()
