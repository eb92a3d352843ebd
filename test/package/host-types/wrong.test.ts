import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { WRONG, wrongPrograms } from './compile-as-host.ts'

const it = suite('wrong programs of a host')

const programs = wrongPrograms()

it('do not compile', () => {
  assert.ok(programs.size > 20)
  assert.equal(
    [...programs].filter(([, said]) => said === '').map(([name]) => name),
    [],
  )
})

it('are told the member that is wrong', () => {
  for (const [name, said] of programs) {
    const [, how, member] = /^\/\/ The message (names|stands at) '(.+)'/.exec(sourceOf(name)) ?? []
    if (how === 'stands at') assert.ok(wrongPlace(name, said).startsWith(member ?? ''), `${name}: ${said}`)
    else assert.ok(said.includes(`'${member}'`) || said.includes(`"${member}"`), `${name}: ${said}`)
  }
})

it('are not told how a codec is made', () => {
  for (const [name, said] of programs)
    assert.not.match(said, /TypeOfProps|MembersOf|OutputOf|NoSurplus|TypeOf</, `${name}: ${said}`)
})

it('get the messages that are written down: node --import tsx test/package/host-types/write-wrong.ts', () => {
  for (const [name, said] of programs) {
    const path = join(WRONG, `${name}.txt`)
    assert.fixture(said, existsSync(path) ? readFileSync(path, 'utf8') : '', name)
  }
})

const sourceOf = (name: string): string => readFileSync(join(WRONG, `${name}.ts`), 'utf8')

/** The text of the program at the place where the message points. */
const wrongPlace = (name: string, said: string): string => {
  const [, line, column] = /^\((\d+),(\d+)\)/.exec(said) ?? []
  return (sourceOf(name).split('\n')[Number(line) - 1] ?? '').slice(Number(column) - 1)
}

it.run()
