import { decodeSignature, encodeSecp256k1Pubkey, pubkeyToAddress } from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { TurnkeyDirectWallet } from '@turnkey/cosmjs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onStage } from '../conformance/stage.ts'
import { privateKeyWith, walletWith } from './accounts.ts'

const it = suite('@turnkey/cosmjs')

it('signs documents in direct mode with the public keys of wallets and with private keys', () =>
  onStage(async (stage) => {
    const { organizationId, sdk, root } = stage
    const key = await privateKeyWith(stage, 'UNCOMPRESSED')
    for (const signWith of [await walletWith(stage, 'UNCOMPRESSED'), key.privateKeyId, key.address]) {
      const client = sdk(root) as never // a later release than its types name
      const wallet = await TurnkeyDirectWallet.init({ config: { client, organizationId, signWith } })
      const [account] = await wallet.getAccounts()
      if (account === undefined) throw new Error('the wallet has an account')
      const pubkey = encodeSecp256k1Pubkey(account.pubkey)
      assert.is(account.address, pubkeyToAddress(pubkey, 'cosmos'))

      const fee = [{ denom: 'uatom', amount: '1' }]
      const authInfo = makeAuthInfoBytes(
        [{ pubkey: encodePubkey(pubkey), sequence: 0 }],
        fee,
        200_000,
        undefined,
        undefined,
      )
      const document = makeSignDoc(Buffer.from('a body'), authInfo, 'cosmoshub-4', 7)
      const { signed, signature } = await wallet.signDirect(account.address, document)
      assert.equal(signed, document)
      const { pubkey: signer, signature: bytes } = decodeSignature(signature)
      assert.equal(Buffer.from(signer), Buffer.from(account.pubkey))
      assert.ok(secp256k1.verify(bytes, makeSignBytes(document), signer))
    }
  }))

/** With a client of `@turnkey/http`, this release of the package hashes what it has hashed already. */
it('signs the hash of the hash by the other client, as it asks for it', () =>
  onStage(async (stage) => {
    const { organizationId, http, root } = stage
    const config = { client: http(root) as never, organizationId, signWith: await walletWith(stage, 'UNCOMPRESSED') }
    const wallet = await TurnkeyDirectWallet.init({ config })
    const [account] = await wallet.getAccounts()
    const document = makeSignDoc(Buffer.from('a body'), new Uint8Array(), 'cosmoshub-4', 7)
    const { signature } = await wallet.signDirect(account?.address ?? '', document)
    const { pubkey, signature: bytes } = decodeSignature(signature)
    assert.ok(secp256k1.verify(bytes, sha256(makeSignBytes(document)), pubkey))
  }))

it.run()
