/* Play whole games by a library that is loaded by name: decisions, a digest of the states, and the refusals. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#define OPEN(path) ((void *)LoadLibraryA(path))
#define FIND(library, name) ((void *)GetProcAddress((HMODULE)(library), name))
#else
#include <dlfcn.h>
#define OPEN(path) dlopen(path, RTLD_NOW)
#define FIND(library, name) dlsym(library, name)
#endif

static void *library;
static const char *game;

static void *find(const char *name) {
    char symbol[128];
    snprintf(symbol, sizeof symbol, "spelunke_%s_%s", game, name);
    void *found = FIND(library, symbol);
    if (!found) {
        printf("no %s\n", symbol);
        exit(1);
    }
    return found;
}

int main(int count, char **given) {
    if (count != 5) return 2;
    library = OPEN(given[1]);
    game = given[2];
    if (!library) return 3;
    const char *(*digest)(void) = (const char *(*)(void))find("digest");
    const int16_t *(*usual)(void) = (const int16_t *(*)(void))find("usual");
    int64_t (*start)(void *, const int16_t *) = (int64_t(*)(void *, const int16_t *))find("start");
    int64_t (*actors)(const void *) = (int64_t(*)(const void *))find("actors");
    int64_t (*legal)(const void *, int64_t, int16_t *) = (int64_t(*)(const void *, int64_t, int16_t *))find("legal");
    int64_t (*play)(void *, int64_t, int64_t) = (int64_t(*)(void *, int64_t, int64_t))find("play");
    int64_t (*chances)(const void *, int16_t *, int16_t *) =
        (int64_t(*)(const void *, int16_t *, int16_t *))find("chances");
    int64_t (*land)(void *, int64_t) = (int64_t(*)(void *, int64_t))find("apply_chance");
    int64_t (*playouts)(void *, const int16_t *, int64_t *, int64_t) =
        (int64_t(*)(void *, const int16_t *, int64_t *, int64_t))find("playouts");
    size_t bytes = (size_t)atoi(given[3]);
    int64_t games = atoi(given[4]), stream = 7, decisions = 0, refused = 0;
    static int16_t numbers[1 << 16], weights[1 << 16];
    uint64_t seen = 14695981039346656037u, chosen = 1;
    unsigned char *state = calloc(1, bytes);
    start(state, usual());
    for (int ply = 0; ply < 3000; ply++) {
        int64_t who = actors(state), number;
        chosen = chosen * 6364136223846793005u + 1442695040888963407u;
        uint64_t any = chosen >> 33;
        if (who == -4) {
            start(state, usual());
            continue;
        }
        if (who == -1) {
            number = chances(state, numbers, weights);
            if (number < 1 || land(state, numbers[any % (uint64_t)number])) return 4;
        } else {
            int64_t seat = 0;
            while (!(who >> seat & 1)) seat++;
            number = legal(state, seat, numbers);
            refused += play(state, seat, -1) < 0 && play(state, 99, numbers[0]) < 0;
            if (number < 1 || play(state, seat, numbers[any % (uint64_t)number])) return 5;
            decisions++;
        }
        for (size_t k = 0; k < bytes; k++) seen = (seen ^ state[k]) * 1099511628211u;
    }
    int64_t random = playouts(state, usual(), &stream, games);
    for (size_t k = 0; k < bytes; k++) seen = (seen ^ state[k]) * 1099511628211u;
    printf("%s %lld %lld %lld %lld %016llx\n", digest(), (long long)decisions, (long long)(decisions - refused),
           (long long)random, (long long)stream, (unsigned long long)seen);
    return 0;
}
