/* A disk that can't be trusted: while the file named by UNSYNCED exists, nothing can be made durable. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int failing(void) {
    const char *flag = getenv("UNSYNCED");
    return flag && access(flag, F_OK) == 0;
}

static int answer(void) {
    if (!failing()) return 0;
    errno = EIO;
    return -1;
}

int fsync(int file) { (void)file; return answer(); }
int fdatasync(int file) { (void)file; return answer(); }
