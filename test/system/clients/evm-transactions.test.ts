import { TurnkeySigner } from '@turnkey/ethers'
import { createAccount } from '@turnkey/viem'
import { JsonRpcProvider } from 'ethers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPublicClient, createWalletClient, http, type Hex } from 'viem'
import { hardhat } from 'viem/chains'
import { onStage } from '../conformance/stage.ts'
import { clientsOf, walletWith } from './accounts.ts'
import { startEvmNode } from './evm-node.ts'

const it = suite('transactions on an EVM node')

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** Code that a delegation can name: it does nothing. */
const DELEGATE = '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC'

it('are signed for @turnkey/viem, and mined: types 0, 1, 2 and 4', () =>
  onStage(async (stage) => {
    const node = await startEvmNode()
    try {
      const signWith = await walletWith(stage, 'ETHEREUM')
      const transport = http(node.url)
      const chain = createPublicClient({ chain: hardhat, transport })
      for (const client of clientsOf(stage)) {
        const account = await createAccount({ client, organizationId: stage.organizationId, signWith })
        await node.fund(account.address, 10n ** 18n)
        const wallet = createWalletClient({ account, chain: hardhat, transport })
        const mined = async (hash: Hex, type: string) => {
          const { status, from } = await chain.waitForTransactionReceipt({ hash })
          assert.equal([status, from], ['success', account.address.toLowerCase()])
          assert.is((await chain.getTransaction({ hash })).type, type)
        }
        const value = { to: TO, value: 1n } as const
        await mined(await wallet.sendTransaction({ ...value, type: 'legacy' }), 'legacy')
        await mined(await wallet.sendTransaction({ ...value, type: 'eip2930', accessList: [] }), 'eip2930')
        await mined(await wallet.sendTransaction({ ...value, type: 'eip1559' }), 'eip1559')
        const authorization = await wallet.signAuthorization({ contractAddress: DELEGATE, executor: 'self' })
        await mined(await wallet.sendTransaction({ ...value, authorizationList: [authorization] }), 'eip7702')
        assert.is(await chain.getCode({ address: account.address }), `0xef0100${DELEGATE.slice(2).toLowerCase()}`)
      }
    } finally {
      await node.close()
    }
  }))

it('are signed for @turnkey/ethers, and mined: types 0, 1, 2 and 4', () =>
  onStage(async (stage) => {
    const node = await startEvmNode()
    const provider = new JsonRpcProvider(node.url, undefined, { cacheTimeout: -1, pollingInterval: 50 })
    try {
      const signWith = await walletWith(stage, 'ETHEREUM')
      const { organizationId } = stage
      for (const client of clientsOf(stage)) {
        // The types of the package name another build of ethers.
        const signer = new TurnkeySigner({ client, organizationId, signWith }).connect(provider as never)
        const account = await createAccount({ client, organizationId, signWith })
        await node.fund(account.address, 10n ** 18n)
        const nonce = await signer.getNonce()
        const own = await account.signAuthorization?.({ contractAddress: DELEGATE, chainId: 31337, nonce: nonce + 4 })
        if (own === undefined) throw new Error('expected an authorization')
        const { address, chainId } = own
        const authorization = {
          address,
          chainId,
          nonce: nonce + 4,
          signature: { r: own.r, s: own.s, yParity: own.yParity ?? 0 },
        }
        for (const more of [{ type: 0 }, { type: 1 }, { type: 2 }, { type: 4, authorizationList: [authorization] }]) {
          const sent = await signer.sendTransaction({ to: TO, value: 1, gasLimit: 100_000, ...more } as never)
          const receipt = await sent.wait()
          assert.equal([receipt?.status, receipt?.type, receipt?.from], [1, more.type, account.address])
        }
        assert.is(await provider.getCode(account.address), `0xef0100${DELEGATE.slice(2).toLowerCase()}`)
      }
    } finally {
      provider.destroy()
      await node.close()
    }
  }))

it.run()
