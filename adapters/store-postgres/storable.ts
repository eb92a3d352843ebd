/** Whether PostgreSQL can have the text at all. No log has another one, so who asks for one is answered without it. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
