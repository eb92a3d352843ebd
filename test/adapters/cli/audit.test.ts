import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { testClock, world } from '../../core/world/world.ts'
import { exported, neighbour } from '../../core/audit/logs.ts'
import { draftsOf, forged } from '../../core/audit/forgery.ts'
import { folder, run, type Ended } from './run-cli.ts'

const it = suite('audit')

const cwd = folder()
const cli = (...args: readonly string[]): Promise<Ended> => run(['audit', ...args], { cwd })
/** How to name what is known of each organization from elsewhere. */
let pins: readonly string[] = []
let heads: readonly string[] = []

type Report = {
  readonly compared: { readonly [name: string]: number }
  readonly organizations: readonly {
    readonly organization: string
    readonly genesis: string
    readonly sequence: string
    readonly hash: string
    readonly isPinned: boolean
    readonly isHeadCompared: boolean
  }[]
}
const report = async (...args: readonly string[]): Promise<Report> =>
  JSON.parse((await cli('log.jsonl', '--json', ...args)).stdout) as Report // what `--json` prints

it.before(async () => {
  const made = await world()
  await neighbour(made)
  await neighbour(made)
  writeFileSync(join(cwd, 'log.jsonl'), await exported(made.storage.store))
  await made.close()
  const { organizations } = await report()
  pins = organizations.map(({ organization, genesis }) => `${organization}=${genesis}`)
  heads = organizations.map(({ organization, sequence, hash }) => `${organization}=${sequence}:${hash}`)
})

const known = (pinned: number, headed: readonly number[]): readonly string[] => [
  ...pins.slice(0, pinned).flatMap((pin) => ['--pin', pin]),
  ...headed.flatMap((index) => ['--head', heads[index] ?? '']),
]

const summaries: readonly (readonly [pinned: number, headed: readonly number[], last: readonly string[]])[] = [
  [
    0,
    [],
    [
      '3 organizations: 0 compared with a pin, 0 with a head, 3 with neither',
      'holds in what the log itself says; 3 of 3 organizations were compared with nothing from elsewhere',
    ],
  ],
  [
    1,
    [0, 1],
    [
      '3 organizations: 1 compared with a pin, 2 with a head, 1 with neither',
      'holds in what the log itself says; 1 of 3 organizations was compared with nothing from elsewhere',
    ],
  ],
  [
    2,
    [2],
    [
      '3 organizations: 2 compared with a pin, 1 with a head, 0 with neither',
      'holds in what the log itself says; 2 of 3 organizations were compared with a pin alone',
    ],
  ],
  [0, [0, 1, 2], ['3 organizations: 0 compared with a pin, 3 with a head, 0 with neither', 'everything holds']],
]

for (const [pinned, headed, last] of summaries) {
  it(`says how much it compared with what is known from elsewhere: ${last[0]}`, async () => {
    const { code, stdout } = await cli('log.jsonl', ...known(pinned, headed))
    assert.equal(stdout.trimEnd().split('\n').slice(-2), last)
    assert.is(stdout.split('(compared with the pin)').length - 1, pinned)
    assert.is(stdout.split('(compared with a head)').length - 1, headed.length)
    assert.is(code, 0)
  })
}

it('says the same as JSON', async () => {
  const { compared, organizations } = await report(...known(1, [0, 1]))
  assert.equal(compared, { organizations: 3, withPin: 1, withHead: 2, withNeither: 1 })
  assert.equal(
    organizations.map(({ isPinned, isHeadCompared }) => [isPinned, isHeadCompared]),
    [
      [true, true],
      [false, true],
      [false, false],
    ],
  )
})

it('says that a log has no organization', async () => {
  writeFileSync(join(cwd, 'empty.jsonl'), forged([]))
  const { code, stdout } = await cli('empty.jsonl')
  assert.match(stdout, /\nholds in what the log itself says; it has no organization\n$/)
  assert.is(code, 0)
})

const strangers: readonly (readonly [name: string, text: string, says: string])[] = [
  ['package.json', '{\n  "name": "x"\n}\n', 'package.json is no exported log: its first line is no line of one'],
  ['page.md', '# Title\n', 'page.md is no exported log: its first line is no line of one'],
  ['a.db', 'SQLite format 3\0', 'a.db is an SQLite database: audit it with --store sqlite:a.db'],
]
for (const [name, text, says] of strangers) {
  it(`says of a file that is no log that it is none, and nothing else: ${name}`, async () => {
    writeFileSync(join(cwd, name), text)
    assert.equal(await cli(name), { code: 2, signal: null, stdout: '', stderr: `countersign: ${says}\n` })
  })
}

it('audits a log whose first line was changed or left out', async () => {
  const [first = '', ...others] = readFileSync(join(cwd, 'log.jsonl'), 'utf8').split('\n')
  for (const changed of [[`{x${first.slice(2)}`, ...others], others]) {
    writeFileSync(join(cwd, 'changed.jsonl'), changed.join('\n'))
    const { code, stdout } = await cli('changed.jsonl')
    assert.equal([code, /^line 1 /m.test(stdout)], [1, true])
  }
})

it('does not print the name of an organization that is called like a sentence', async () => {
  const made = await world()
  const drafts = draftsOf(await exported(made.storage.store))
  const name = `${made.organizationId}\n  begins with ${'0'.repeat(64)} (compared with the pin)\neverything holds`
  for (const { event } of drafts) event.organization = name
  writeFileSync(join(cwd, 'called.jsonl'), forged(drafts))
  await made.close()
  const { code, stdout } = await cli('called.jsonl')
  assert.not.match(stdout, 'compared with the pin')
  assert.not.match(stdout, 'everything holds')
  assert.match(stdout, /^line 1  LINE_UNREADABLE  expected organization, activity and id to be UUIDs in lower case$/m)
  assert.is(code, 1)
  const imported = await run(['import', 'called.jsonl', '--store', 'sqlite:called.db'], { cwd })
  assert.match(imported.stderr, /: line 1: expected organization, activity and id to be UUIDs in lower case\n$/)
  assert.is(imported.code, 2)
})

it('expects the default limits, unless a file says which were in force', async () => {
  const clock = testClock()
  const made = await world({ testClock: clock, limits: { userTags: 150 } })
  await made.done(made.root, 'create_user_tag', { userTagName: 'one', userIds: [] }) // reads the limit
  writeFileSync(join(cwd, 'other-limits.jsonl'), await exported(made.storage.store))
  await made.close()
  const differs = 'the decision was made under other limits than those that were in force: userTags 150 instead of '
  const at = (ms: number): string => new Date(clock.now() + ms).toISOString()
  const cases: readonly (readonly [limits: unknown, code: number, says: string])[] = [
    [undefined, 1, `${differs}100`],
    [{ userTags: 150 }, 0, 'holds in what the log itself says'],
    [{ userTags: 149 }, 1, `${differs}149`],
    [[{ limits: { userTags: 150 }, from: at(0) }], 0, 'holds in what the log itself says'],
    [
      [
        { limits: {}, until: at(0) },
        { limits: { userTags: 150 }, from: at(1) },
      ],
      1,
      `${differs}100`,
    ],
  ]
  for (const [limits, expected, says] of cases) {
    if (limits !== undefined) writeFileSync(join(cwd, 'limits.json'), JSON.stringify(limits))
    const { code, stdout } = await cli(
      'other-limits.jsonl',
      ...(limits === undefined ? [] : ['--limits', 'limits.json']),
    )
    assert.match(stdout, says)
    assert.is(code, expected)
  }
})

for (const [flags, says] of [
  [['--limits', 'none.json'], /: --limits: there is no file none\.json$/m],
  [['--limits', 'log.jsonl'], /: log\.jsonl is not a file of limits: expected JSON$/m],
] as const)
  it(`says in one line what it cannot use: ${flags.join(' ')}`, async () => {
    const { code, stdout, stderr } = await cli('log.jsonl', ...flags)
    assert.match(stderr, says)
    assert.match(stderr, /^countersign: [^\n]+\n$/)
    assert.equal([code, stdout], [2, ''])
  })

it.run()
