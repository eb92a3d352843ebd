import { getTransactionDecoder } from '@solana/kit'
import {
  AddressLookupTableAccount,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { TurnkeySigner } from '@turnkey/solana'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  account,
  assertRan,
  lamportsOf,
  LOOKUP_PROGRAM,
  lookupTable,
  machineOf,
  MINT,
  SOURCE,
  TARGET,
  tokensOf,
} from '../../core/transaction/other-libraries/solana-machine.ts'
import { otherAddress, TOKEN, tokenData } from '../../core/transaction/solana-transactions.ts'
import { onStage } from '../conformance/stage.ts'
import { clientsOf, walletWith } from './accounts.ts'

const it = suite('transactions in LiteSVM')

const [RECEIVER, TABLE] = [otherAddress(21), otherAddress(50)]

it('are signed for @turnkey/solana, and run: a transfer, tokens, and a lookup table', () =>
  onStage(async (stage) => {
    const { organizationId } = stage
    const address = await walletWith(stage, 'SOLANA')
    const payer = new PublicKey(address)
    const transfer = (to: string) =>
      SystemProgram.transfer({ fromPubkey: payer, toPubkey: new PublicKey(to), lamports: 5_000_000 })
    const tokenTransfer = new TransactionInstruction({
      programId: new PublicKey(TOKEN),
      keys: [
        ...[SOURCE, MINT, TARGET].map((key) => ({
          pubkey: new PublicKey(key),
          isSigner: false,
          isWritable: key !== MINT,
        })),
        { pubkey: payer, isSigner: true, isWritable: false },
      ],
      data: Buffer.from(tokenData([12], 7n, [6])),
    })
    for (const client of clientsOf(stage)) {
      const machine = machineOf([address, otherAddress(40)])
      machine.setAccount(account(TABLE, LOOKUP_PROGRAM, lookupTable([otherAddress(22), RECEIVER])))
      machine.warpToSlot(10n)
      const recentBlockhash = machine.latestBlockhash()
      const signer = new TurnkeySigner({ organizationId, client })
      const run = async (transaction: Transaction | VersionedTransaction) => {
        const signed = await signer.signTransaction(transaction, address)
        assertRan(machine.sendTransaction(getTransactionDecoder().decode(signed.serialize())))
      }
      const legacy = (instruction: TransactionInstruction) =>
        new Transaction({ feePayer: payer, blockhash: recentBlockhash, lastValidBlockHeight: 1 }).add(instruction)
      await run(legacy(transfer(RECEIVER)))
      assert.is(lamportsOf(machine, RECEIVER), 5_000_000n)
      await run(legacy(tokenTransfer))
      assert.is(tokensOf(machine, TARGET), 7n)
      const table = new AddressLookupTableAccount({
        key: new PublicKey(TABLE),
        state: AddressLookupTableAccount.deserialize(lookupTable([otherAddress(22), RECEIVER])),
      })
      const message = new TransactionMessage({
        payerKey: payer,
        recentBlockhash,
        instructions: [transfer(RECEIVER)],
      })
      await run(new VersionedTransaction(message.compileToV0Message([table])))
      assert.is(lamportsOf(machine, RECEIVER), 10_000_000n)
    }
  }))

it.run()
