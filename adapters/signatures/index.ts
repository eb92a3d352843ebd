export { nobleSignatures, type NobleSignaturesOptions } from './noble-signatures.ts'
export { nodeSignatures, type NodeSignaturesOptions } from './node-signatures.ts'
export { generateKey, signingKey, stamp, stamper, type SigningKey, type StampOptions } from './signer.ts'
export { stampedRequest } from './stamped-request.ts'
