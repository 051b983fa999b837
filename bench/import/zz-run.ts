const { run } = await import('./zz-small.ts'); await run();
