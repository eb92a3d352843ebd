import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPublicClient, createWalletClient, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hardhat } from 'viem/chains'
import { CHAIN_ID, startEvmNode, type EvmNode } from './evm-node.ts'

const it = suite('the EVM node of tests')

let node: EvmNode | undefined
it.before(async () => {
  node = await startEvmNode()
})
it.after(() => node?.close())

const account = privateKeyToAccount(`0x${'07'.repeat(32)}`)
const RECEIVER = `0x${'11'.repeat(20)}` as const
/** A contract that an account can take the code of: it does nothing. */
const CODE = `0x${'22'.repeat(20)}` as const

const clients = (url: string) => ({
  reading: createPublicClient({ chain: hardhat, transport: http(url), pollingInterval: 50 }),
  writing: createWalletClient({ account, chain: hardhat, transport: http(url) }),
})
type Clients = ReturnType<typeof clients>

const transfer = { to: RECEIVER, value: 1n } as const

const sent = {
  legacy: ({ writing }: Clients) => writing.sendTransaction({ ...transfer, type: 'legacy' }),
  eip2930: ({ writing }: Clients) =>
    writing.sendTransaction({ ...transfer, type: 'eip2930', accessList: [{ address: RECEIVER, storageKeys: [] }] }),
  eip1559: ({ writing }: Clients) => writing.sendTransaction({ ...transfer, type: 'eip1559' }),
  eip7702: async ({ writing }: Clients) => {
    const authorization = await writing.signAuthorization({ contractAddress: CODE, executor: 'self' })
    return writing.sendTransaction({ ...transfer, type: 'eip7702', authorizationList: [authorization] })
  },
}

/** Sends a transaction of the type, and waits until it is mined. */
const mined = async (type: keyof typeof sent, { url, fund }: EvmNode) => {
  await fund(account.address, parseEther('1'))
  const both = clients(url)
  return both.reading.waitForTransactionReceipt({ hash: await sent[type](both) })
}

for (const type of ['legacy', 'eip2930', 'eip1559', 'eip7702'] as const)
  it(`mines a transaction of the type ${type}`, async () => {
    assert.ok(node)
    const { reading } = clients(node.url)
    const before = await reading.getBalance({ address: RECEIVER })
    const receipt = await mined(type, node)
    assert.equal([receipt.status, receipt.type, receipt.from], ['success', type, account.address.toLowerCase()])
    assert.is(await reading.getBalance({ address: RECEIVER }), before + 1n)
  })

it('has the chain id of local nodes', async () => {
  assert.ok(node)
  assert.is(await clients(node.url).reading.getChainId(), CHAIN_ID)
})

it('gives an account the code that it has authorized', async () => {
  assert.ok(node)
  await mined('eip7702', node)
  const code = await clients(node.url).reading.getCode({ address: account.address })
  assert.is(code, `0xef0100${CODE.slice(2)}`)
})

it.run()
