import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tableOf } from '../../../adapters/cli/activity-table.ts'
import type { SeenActivity } from '../../../adapters/inbox/seen.ts'
import { lineText } from '../../../adapters/cli/style.ts'
import { HOSTILE, seenOnly } from './hostile.ts'

const it = suite('a table of activities')

const NOW = 1_700_000_060_000
const ID = '5b2b9e06-9f0b-8f3f-8c9b-0a5b6a1f2c3d'

const activity = (type: string, status: string, by: string, canApprove = false): SeenActivity => ({
  id: ID,
  organizationId: ID,
  status: `ACTIVITY_STATUS_${status}`,
  type: `ACTIVITY_TYPE_${type}`,
  intent: {},
  votes: [
    {
      id: ID,
      userId: ID,
      user: { userName: by },
      selection: 'VOTE_SELECTION_APPROVED',
      message: '',
      publicKey: '',
      signature: '',
      scheme: '',
      createdAt: '2023-11-14T22:13:20Z',
    },
  ],
  fingerprint: '',
  canApprove,
  canReject: false,
  createdAt: '2023-11-14T22:13:20Z',
  updatedAt: '2023-11-14T22:13:20Z',
  failure: null,
})

const found = [
  activity('SIGN_TRANSACTION_V2', 'CONSENSUS_NEEDED', 'Ada', true),
  activity('CREATE_SUB_ORGANIZATION_V7', 'COMPLETED', 'Grace Brewster Murray Hopper'),
  activity('APPROVE', 'OF_TOMORROW', 'Ada'),
]
const shown = (columns: number, of = found): string =>
  tableOf(of, NOW, columns)
    .map((line) => `${lineText(line, false)}\n`)
    .join('')

it('has a line for each, with what people name operations and statuses', () => {
  assert.fixture(
    shown(160),
    `OPERATION                   BY                            WHEN       STATUS                       ID
sign_transaction_v2         Ada                           1 min ago  waiting, yours too           ${ID}
create_sub_organization_v7  Grace Brewster Murray Hopper  1 min ago  completed                    ${ID}
approve                     Ada                           1 min ago  ACTIVITY_STATUS_OF_TOMORROW  ${ID}
`,
  )
})

it('cuts the widest columns where the terminal is narrow, and never an id', () => {
  for (const columns of [80, 90, 100, 120])
    for (const line of shown(columns).trimEnd().split('\n')) {
      assert.ok(line.length <= columns, `${columns}: ${line}`)
      assert.ok(line.startsWith('OPERATION') || line.endsWith(`  ${ID}`), line)
    }
  assert.match(shown(20), ID)
})

it('is in colour, and is not moved by the text of others', () => {
  const [, line = []] = tableOf([activity(HOSTILE, 'FAILED', HOSTILE)], NOW, 400)
  assert.match(lineText(line, true), '\u001b[31mfailed\u001b[0m')
  assert.ok(seenOnly(lineText(line, false)))
  const [head = '', row = ''] = shown(400, [activity('A', 'FAILED', HOSTILE)]).split('\n')
  assert.is(row.indexOf(ID), head.lastIndexOf('ID'))
})

it.run()
