import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { E } from '../../../core/prelude.ts'
import { readOptions, SECTIONS, type Options } from './options.ts'

const it = suite('the options of the bench')

const read = (...args: readonly string[]): Options => {
  const options = readOptions(args)
  if (E.isLeft(options)) throw new Error(options.left.text)
  return options.right
}

const refused = (...args: readonly string[]): string => {
  const options = readOptions(args)
  if (E.isRight(options)) throw new Error('these options were taken')
  assert.is(options.left.code, 2)
  assert.match(options.left.text, 'Usage: npm run bench')
  return options.left.text
}

it('measures everything in five rounds if nothing is said', () => {
  const { sections, rounds, against } = read()
  assert.equal([sections, rounds, against], [SECTIONS.filter((name) => name !== 'copy'), 5, undefined])
  assert.equal(read('--full').sections, SECTIONS)
})

it('leaves out what takes long if the run is to be short, unless it is asked for', () => {
  const long = ['postgres', 'eventstoredb', 'copy']
  assert.equal(
    read('--short').sections,
    SECTIONS.filter((name) => !long.includes(name)),
  )
  assert.equal(read('--short', '--only', 'copy,postgres,eventstoredb').sections, long)
})

it('measures the sections that are named', () =>
  assert.equal(read('--only', 'log,requests').sections, ['requests', 'log']))

it('tells how it is used', () => {
  const usage = readOptions(['--help'])
  assert.ok(E.isLeft(usage))
  assert.is(usage.left.code, 0)
  for (const option of ['--only', '--against', '--short', '--full', '--rounds', '--keep', '--json', '--publish'])
    assert.match(usage.left.text, `  ${option} `)
})

it('refuses a section, an option or a number that it does not know', () => {
  assert.match(refused('--only', 'log,logs'), 'There is no section logs.')
  refused('--agianst', 'main')
  for (const rounds of ['0', '1.5', 'x', '']) refused('--rounds', rounds)
  refused('--activities', '1000,')
})

it('takes four turns against another commit, and never fewer than two', () => {
  assert.equal([read('--against', 'main').against, read('--against', 'main').rounds], ['main', 4])
  assert.is(read('--against', 'main', '--short').rounds, 2)
  assert.is(read('--against', 'main', '--rounds', '1').rounds, 2)
  assert.is(read('--against', 'main', '--rounds', '6').rounds, 6)
})

it('measures the cost of a submit in several rounds, however short the run is', () => {
  assert.equal([read('--short').rounds, read('--short').roundsOfMost], [1, 5])
  assert.is(read('--rounds', '3').roundsOfMost, 3)
})

it('hands over to the other bench what says how much is measured, and nothing else', () => {
  const { sizes } = read('--against', 'main', '--short', '--rounds', '3', '--activities', '1_000', '--json', 'x')
  assert.equal(sizes, ['--short', '--activities', '1_000'])
})

it('refuses to keep histories that two commits would share', () => {
  refused('--against', 'main', '--keep', 'x')
})

it('reads the longest two logs whole, however long histories are', () => {
  assert.equal(read().logActivities, [50_000])
  assert.equal(read('--full').logActivities, [1_000_000, 10_000_000])
  assert.equal(read('--full', '--activities', '200,10,100').logActivities, [100, 200])
  assert.is(Math.max(...read('--full').organizations), 1_000_000)
})

it('publishes whole runs only', () => {
  assert.ok(read('--publish', '--full').publish)
  refused('--publish', '--short')
  refused('--publish', '--against', 'main')
})

it.run()
