// The pages import this file as a module, which keeps its names to itself: these three are for their own modules.
Object.assign(globalThis, { htmx, Idiomorph, Sortable });
