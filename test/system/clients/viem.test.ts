import { createAccount, TurnkeyConsensusNeededError } from '@turnkey/viem'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { recoverMessageAddress, verifyMessage, verifyTypedData, type LocalAccount } from 'viem'
import { verifyAuthorization } from 'viem/utils'
import { onStage, type Stage } from '../conformance/stage.ts'
import { clientsOf, privateKeyWith, walletWith } from './accounts.ts'
import { mail } from './typed-data.ts'

const it = suite('@turnkey/viem')

/** The accounts of viem that sign with a wallet and with a private key, by each of the clients. */
const accountsOf = async (stage: Stage): Promise<readonly LocalAccount[]> => {
  const { organizationId } = stage
  const [address, { privateKeyId }] = [await walletWith(stage, 'ETHEREUM'), await privateKeyWith(stage, 'ETHEREUM')]
  return Promise.all(
    [address, privateKeyId].flatMap((signWith) =>
      clientsOf(stage).map((client) => createAccount({ client, organizationId, signWith })),
    ),
  )
}

const signatures: { readonly [what: string]: (account: LocalAccount) => Promise<boolean> } = {
  'a text': async ({ address, signMessage }) => {
    const message = 'Grüß Gott, 🐮'
    const signature = await signMessage({ message })
    assert.is(await recoverMessageAddress({ message, signature }), address)
    return verifyMessage({ address, message, signature })
  },
  'the empty text': async ({ address, signMessage }) =>
    verifyMessage({ address, message: '', signature: await signMessage({ message: '' }) }),
  bytes: async ({ address, signMessage }) => {
    const message = { raw: '0x00ff' } as const
    return verifyMessage({ address, message, signature: await signMessage({ message }) })
  },
  'typed data': async ({ address, signTypedData }) =>
    verifyTypedData({ address, ...mail, signature: await signTypedData(mail) }),
  'an authorization of EIP-7702': async ({ address, signAuthorization }) => {
    const wanted = { address: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC', chainId: 1, nonce: 7 } as const
    const authorization = await signAuthorization?.(wanted)
    return authorization !== undefined && verifyAuthorization({ address, authorization })
  },
}

it('signs with wallets and private keys what viem verifies', () =>
  onStage(async (stage) => {
    for (const account of await accountsOf(stage))
      for (const [what, isSigned] of Object.entries(signatures)) assert.ok(await isSigned(account), what)
  }))

it('says that others have to agree, and gets the signature when they have', () =>
  onStage(async (stage) => {
    const { root, enrol, done, organizationId, sdk } = stage
    const signWith = await walletWith(stage, 'ETHEREUM')
    const ada = await enrol('ada')
    await done(root, 'update_root_quorum', { threshold: 2, userIds: [root.userId, ada.userId] })
    const account = await createAccount({ client: sdk(root), organizationId, signWith })
    const error: unknown = await account.signMessage({ message: 'hello' }).catch((thrown: unknown) => thrown)
    assert.instance(error, TurnkeyConsensusNeededError)
    const { activityId = '' } = error as TurnkeyConsensusNeededError // as asserted
    const { fingerprint } = (await sdk(root).getActivity({ activityId })).activity
    await sdk(ada).approveActivity({ fingerprint })
    const { r, s, v } = (await sdk(root).getActivity({ activityId })).activity.result.signRawPayloadResult ?? {}
    const signature = `0x${r}${s}${(27 + Number(v)).toString(16)}` as const
    assert.ok(await verifyMessage({ address: account.address, message: 'hello', signature }))
  }))

it.run()
