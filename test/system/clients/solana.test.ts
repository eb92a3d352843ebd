import { ed25519 } from '@noble/curves/ed25519.js'
import {
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { TurnkeySigner } from '@turnkey/solana'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onStage, type Stage } from '../conformance/stage.ts'
import { clientsOf, privateKeyWith, walletWith } from './accounts.ts'

const it = suite('@turnkey/solana')

/** What signs, each with the address that it signs with. */
const signersOf = async (stage: Stage): Promise<readonly (readonly [TurnkeySigner, string])[]> => {
  const { organizationId } = stage
  const addresses = [await walletWith(stage, 'SOLANA'), (await privateKeyWith(stage, 'SOLANA')).address]
  return clientsOf(stage).flatMap((client) => {
    const signer = new TurnkeySigner({ organizationId, client })
    return addresses.map((address) => [signer, address] as const)
  })
}

const isSigned = (address: string, message: Uint8Array, signature: Uint8Array): boolean =>
  ed25519.verify(signature, message, new PublicKey(address).toBytes())

const recentBlockhash = Keypair.generate().publicKey.toBase58()
const transferOf = (from: PublicKey) =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports: 1 })

it('signs messages', () =>
  onStage(async (stage) => {
    for (const [signer, address] of await signersOf(stage))
      for (const message of [Buffer.from('Grüß Gott, 🐮'), Buffer.alloc(1000, 7)])
        assert.ok(isSigned(address, message, await signer.signMessage(message, address)))
  }))

it('adds signatures to transactions', () =>
  onStage(async (stage) => {
    for (const [signer, address] of await signersOf(stage)) {
      const payer = new PublicKey(address)
      const legacy = new Transaction({ feePayer: payer, blockhash: recentBlockhash, lastValidBlockHeight: 1 })
      legacy.add(transferOf(payer))
      await signer.addSignature(legacy, address)
      assert.ok(legacy.verifySignatures())

      const newer = [1, 2].map(() => {
        const instructions = [transferOf(payer)]
        return new VersionedTransaction(
          new TransactionMessage({ payerKey: payer, recentBlockhash, instructions }).compileToV0Message(),
        )
      })
      await signer.signAllTransactions(newer, address)
      for (const { message, signatures } of newer)
        assert.ok(isSigned(address, message.serialize(), signatures[0] ?? new Uint8Array()))
    }
  }))

it.run()
