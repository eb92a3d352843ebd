/** What a file is, by its first bytes. A log that was tampered with is still an export: its first line has members of one. */
export const kindOf = (chunk: Uint8Array): 'export' | 'sqlite' | 'other' => {
  const end = chunk.indexOf(LINE_FEED)
  const line = new TextDecoder('latin1').decode(chunk.subarray(0, end === -1 ? chunk.length : end))
  if (line.startsWith('SQLite format 3')) return 'sqlite'
  return MEMBERS.some((member) => line.includes(`"${member}":`)) ? 'export' : 'other'
}

const LINE_FEED = 0x0a

/** Two members of each kind of line. */
const MEMBERS = ['organization', 'sequence', 'part', 'salt', 'export', 'sha256']
