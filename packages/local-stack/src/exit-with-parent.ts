/**
 * Loaded before a child of the local stack: where the parent ends without a word, killed perhaps, its channel closes, and the child ends
 * as if it had been told to.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel is no work of its own: it must not keep the process alive.
process.channel?.unref();
