import type { Keywords } from '../value-types.ts'
import { listOf, struct } from './struct.ts'

const leafOfSigning = struct('SparkSigningLeaf', { leaf_id: 'string' })
const staticDeposit = struct('SparkStaticDeposit', { index: 'int' })

const derivation = struct('SparkKeyDerivation', {
  type: 'string',
  signing_leaf: leafOfSigning,
  static_deposit: staticDeposit,
})

const commitment = struct('SparkOperatorCommitment', { id: 'string', hiding: 'string', binding: 'string' })

const signature = struct('SparkSignatureRequest', {
  derivation,
  message: 'string',
  verifying_key: 'string',
  operator_commitments: listOf(commitment),
  adaptor_public_key: 'string',
})

const transferLeaf = struct('SparkTransferLeaf', {
  leaf_id: 'string',
  old_leaf_derivation: derivation,
  new_leaf_derivation: derivation,
  refund_signature: 'string',
  direct_refund_signature: 'string',
  direct_from_cpfp_refund_signature: 'string',
})

const recipients = listOf(struct('SparkOperatorRecipient', { operator_id: 'string', encryption_public_key: 'string' }))

const transfer = struct('SparkTransferPackage', {
  transfer_id: 'string',
  leaves: listOf(transferLeaf),
  threshold: 'int',
  operator_recipients: recipients,
  receiver_public_key: 'string',
})

const claimLeaf = struct('SparkClaimLeaf', { leaf_id: 'string', ciphertext: 'string', sender_signature: 'string' })

const claim = struct('SparkClaimPackage', {
  leaves: listOf(claimLeaf),
  threshold: 'int',
  operator_recipients: recipients,
  transfer_id: 'string',
  sender_identity_public_key: 'string',
})

const lightningReceive = struct('SparkLightningReceivePackage', { threshold: 'int', operator_recipients: recipients })

/**
 * The parameters of operations of Spark. Another operation may give these names to parameters of other types, so the types are only
 * believed.
 */
export const sparkParams: Keywords = {
  signatures: { believed: listOf(signature) },
  transfer: { believed: transfer },
  claim: { believed: claim },
  lightning_receive: { believed: lightningReceive },
}
