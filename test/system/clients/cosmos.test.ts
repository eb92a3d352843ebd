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

const paddedNumber = /^Error: Unsigned integer [rs] must be encoded as unpadded big endian\.$/

/**
 * Signs a document. This release of the package refuses an `r` or `s` whose first byte is zero (one signature in 128), though the wire has
 * 32 bytes of each: then the next document, of another account number, is signed.
 */
const signOneOf = async (wallet: TurnkeyDirectWallet, address: string, authInfo: Uint8Array, accountNumber = 7) => {
  const document = makeSignDoc(Buffer.from('a body'), authInfo, 'cosmoshub-4', accountNumber)
  try {
    return { document, ...(await wallet.signDirect(address, document)) }
  } catch (error) {
    if (!paddedNumber.test(String(error)) || accountNumber > 12) throw error
    return signOneOf(wallet, address, authInfo, accountNumber + 1)
  }
}

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
      const { document, signed, signature } = await signOneOf(wallet, account.address, authInfo)
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
    const { document, signature } = await signOneOf(wallet, account?.address ?? '', new Uint8Array())
    const { pubkey, signature: bytes } = decodeSignature(signature)
    assert.ok(secp256k1.verify(bytes, sha256(makeSignBytes(document)), pubkey))
  }))

it.run()
