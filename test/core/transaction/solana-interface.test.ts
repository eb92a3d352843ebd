import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Fact } from '../../../core/policy/fact.ts'
import { compiledInterface, readSolanaInterface } from '../../../core/transaction/solana-interface.ts'
import { arg, defined, idlOf, order, parsedOf, plain, PROGRAM, structOf, txOf } from './anchor-idls.ts'
import { addressOf, factsOf, otherAddress, SYSTEM, worth } from './solana-transactions.ts'

const it = suite('Anchor IDLs')

const sighash = (name: string): string => createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16)
const snakes = [
  ['transfer', 'transfer'],
  ['swapBaseIn', 'swap_base_in'],
  ['swap_base_in', 'swap_base_in'],
  ['routeV2', 'route_v2'],
  ['createATAAccount', 'create_ata_account'],
  ['Initialize', 'initialize'],
]
for (const [name = '', snake = ''] of snakes)
  it(`computes the discriminator of ${name}`, async () => {
    const idl = JSON.stringify({ instructions: [{ name, accounts: [], args: [] }], types: [] })
    const parsed = await parsedOf(idl, sighash(snake))
    assert.equal(plain(parsed ?? ''), {
      instruction_name: name,
      discriminator: sighash(snake),
      named_accounts: {},
      named_account: {},
      program_call_args: {},
    })
  })

const oldForm = {
  version: '0.1.0',
  name: 'vault',
  instructions: [
    {
      name: 'depositAll',
      accounts: [
        { name: 'payer', isMut: true, isSigner: true },
        {
          name: 'common',
          accounts: [
            { name: 'vault', isMut: true, isSigner: false },
            { name: 'inner', accounts: [{ name: 'mint', isMut: false, isSigner: false }] },
          ],
        },
      ],
      args: [{ name: 'amount', type: 'u64' }],
    },
  ],
  accounts: [{ name: 'Vault', type: { kind: 'struct', fields: [] } }],
  types: [],
}
const newForm = {
  address: PROGRAM,
  metadata: { name: 'vault', version: '0.1.0', spec: '0.1.0' },
  instructions: [
    {
      name: 'deposit_all',
      discriminator: [9, 8, 7],
      accounts: [
        { name: 'payer', writable: true, signer: true },
        { name: 'vault', optional: true },
      ],
      args: [{ name: 'amount', type: 'u64' }],
    },
  ],
  types: [{ name: 'Vault', type: { kind: 'struct', fields: [{ name: 'map', type: { hashMap: ['u8', 'u8'] } }] } }],
}

it('reads the old form, and names the accounts of groups', async () => {
  const parsed = await parsedOf(JSON.stringify(oldForm), `${sighash('deposit_all')}0500000000000000`, [0, 1, 2, 0])
  const named = { payer: addressOf(1), 'common.vault': otherAddress(2), 'common.inner.mint': PROGRAM }
  assert.equal(plain(parsed ?? ''), {
    instruction_name: 'depositAll',
    discriminator: sighash('deposit_all'),
    named_accounts: named,
    named_account: named,
    program_call_args: { amount: 5n },
  })
})

it('reads the new form, and shows the program for an account that was left out', async () => {
  const parsed = await parsedOf(JSON.stringify(newForm), '0908070500000000000000', [0, 2])
  assert.equal(plain((parsed as { readonly named_accounts: Fact }).named_accounts), {
    payer: addressOf(1),
    vault: PROGRAM,
  })
})

it('shows nothing for too few accounts', async () =>
  assert.is(await parsedOf(JSON.stringify(newForm), '0908070500000000000000', [0]), undefined))

it('asks for the interface of a program by its key, also for several instructions', async () => {
  const asked: string[] = []
  await factsOf(
    {
      keys: [addressOf(1), SYSTEM, PROGRAM],
      header: [1, 0, 2],
      instructions: [
        [1, [], ''],
        [2, [], '01'],
      ],
    },
    (address) => {
      asked.push(address)
      return undefined
    },
  )
  assert.equal(asked, [SYSTEM, PROGRAM])
})

it('lets a policy read names and arguments, and err where they are not there', async () => {
  const good = await txOf(JSON.stringify(newForm), [[2, [0, 1], '0908070500000000000000']])
  const bad = await txOf(JSON.stringify(newForm), [[2, [0, 1], '090807050000000000000000']])
  const conditions: readonly (readonly [string, string])[] = [
    ["solana.tx.instructions.all(i, i.parsed_instruction_data.instruction_name == 'deposit_all')", 'true'],
    ["solana.tx.instructions[0].parsed_instruction_data.program_call_args['amount'] <= 5", 'true'],
    ["solana.tx.instructions[0].parsed_instruction_data.program_call_args['amount'] == '5'", 'true'],
    ["solana.tx.instructions[0].parsed_instruction_data.program_call_args['other'] == 5", 'error'],
    [`solana.tx.instructions[0].parsed_instruction_data.named_accounts['vault'] == '${otherAddress(2)}'`, 'true'],
    [`solana.tx.instructions[0].parsed_instruction_data.named_account['payer'] == '${SYSTEM}'`, 'false'],
  ]
  for (const [condition, expected] of conditions) {
    assert.is(worth(condition, good), expected, condition)
    assert.is(worth(condition, bad), 'error', condition)
  }
})

it('lets a policy read enums', async () => {
  const idl = idlOf(arg(defined('Order')), [order])
  const args = "solana.tx.instructions[0].parsed_instruction_data.program_call_args['x']"
  const [market, limit] = [await txOf(idl, [[2, [], '0100']]), await txOf(idl, [[2, [], '01010500']])]
  for (const [tx, condition, expected] of [
    [market, `${args}['name'] == 'Market'`, 'true'],
    [limit, `${args}['name'] == 'Market'`, 'false'],
    [limit, `${args}['Limit'][0] == 5`, 'true'],
    [limit, `${args}['Limit'][1] == 5`, 'error'],
    [market, `${args}['Limit'][0] == 5`, 'error'],
  ] as const)
    assert.is(worth(condition, tx), expected, condition)
})

it('takes names that every object inherits for names', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
  const fields = names.map((name) => ({ name, type: 'u8' }))
  const types = [
    structOf('__proto__', fields),
    { name: 'constructor', type: { kind: 'enum', variants: [{ name: '__proto__', fields: ['u8'] }] } },
  ]
  const args = [...fields, { name: 'own', type: defined('__proto__') }, { name: 'one', type: defined('constructor') }]
  const accounts = names.map((name) => ({ name }))
  const parsed = await parsedOf(idlOf(args, types, accounts), '01010203040506070800ff', [0, 1, 2, 0])
  const { program_call_args: read, named_accounts: named } = parsed as { readonly [name: string]: Record<string, Fact> }
  assert.equal(Object.keys(read ?? {}), [...names, 'own', 'one'])
  assert.equal(Object.keys(read?.['own'] ?? {}), names)
  assert.equal(Object.entries(read?.['one'] ?? {}), [
    ['name', '__proto__'],
    ['__proto__', [255n]],
  ])
  assert.equal(
    Object.entries(named ?? {}).map(([name]) => name),
    names,
  )
  assert.is(Object.getPrototypeOf(read), null)
  assert.is(({} as Record<string, unknown>)['own'], undefined)
  const other = await parsedOf(idlOf([]), '01')
  assert.not.ok(Object.hasOwn((other as { readonly program_call_args: object }).program_call_args, '__proto__'))
})

it('does not look at types that no argument needs', () => {
  const strange = { name: 'Strange', type: { kind: 'struct', fields: [{ name: 'a', type: { coption: 'u8' } }] } }
  assert.is(readSolanaInterface(idlOf([], [strange]))._tag, 'Right')
})

it('compiles a text once, and shows nothing for one that cannot be used', () => {
  const text = idlOf(arg('u8'))
  assert.is(compiledInterface(text), compiledInterface(idlOf(arg('u8'))))
  assert.is(compiledInterface('[]'), undefined)
})

it('forgets the texts that were not used for long', () => {
  const first = idlOf(arg('u16'))
  const compiled = compiledInterface(first)
  for (let at = 0; at < 6; at += 1) compiledInterface(`${first}${' '.repeat(390_000 + at)}`)
  assert.is.not(compiledInterface(first), compiled)
})

it.run()
