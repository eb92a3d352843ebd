/**
 * Whether this process runs the follower with that name. It is called before each batch. Today every process runs every follower:
 * the process that moves the checkpoint first wins, and the others go on from there. Here a host with many processes could elect one
 * of them; the others would go on from the checkpoints that the elected process stores.
 */
export const isMine = (_follower: string): boolean => true
