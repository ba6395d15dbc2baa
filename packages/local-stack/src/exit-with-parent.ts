/**
 * Preloaded in children of the local stack: when the parent ends without notice, its channel closes, and the child stops as
 * after SIGTERM.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel alone must not keep the process alive.
process.channel?.unref();
