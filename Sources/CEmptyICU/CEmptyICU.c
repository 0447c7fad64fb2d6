// ICU's data, emptied: ten tables without entries, as in ICU's stubdata. docs/decisions/0013-icu.md has the reasons and the price.

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { tables = 10 };

// The linker takes a symbol from a static library only if no object defines it, so the release does not carry 32 MiB of data.
const struct {
    uint16_t headerSize;
    uint8_t magic1, magic2;
    uint16_t infoSize, infoReserved;
    uint8_t isBigEndian, charsetFamily, sizeOfCharacter, reservedByte;
    uint8_t dataFormat[4], formatVersion[4], dataVersion[4], padding[8];
    uint32_t count, reserved[3];
} icudt76_dat[tables] __attribute__((aligned(16))) = {
    [0 ... tables - 1] = {
        .headerSize = 32, .magic1 = 0xda, .magic2 = 0x27, .infoSize = 20, .sizeOfCharacter = 2,
        .isBigEndian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, .dataFormat = {'T', 'o', 'C', 'P'}, .formatVersion = {1},
    },
};

// ICU's functions, by the names that Foundation gives them.
__attribute__((weak)) void swift_udata_setFileAccess(int access, int *error);
__attribute__((weak)) void swift_udata_setCommonData(const void *data, int *error);

// SwiftPM starts the tests twice. XCTest, which has none of ours, prints the time with a DateFormatter, which needs the data.
static bool isXCTest(int argc, char **argv) {
    const char *name = argc > 0 ? strrchr(argv[0], '.') : NULL;
    if (!name || strcmp(name, ".xctest") != 0) return false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--testing-library") == 0) return false;
    }
    return true;
}

// A debug build loads Foundation, with ICU's data, as shared libraries. ICU looks into at most ten tables, in the order in which it was
// given them, and into its own last: it never gets to its own, nor to a file. So tests and debug builds work as the release does.
__attribute__((constructor)) static void useEmptyTables(int argc, char **argv) {
    const int noFiles = 3;  // UDATA_NO_FILES
    int error = 0;
    if (!swift_udata_setFileAccess || !swift_udata_setCommonData || isXCTest(argc, argv)) return;
    swift_udata_setFileAccess(noFiles, &error);
    for (int i = 0; i < tables; i++) swift_udata_setCommonData(&icudt76_dat[i], &error);
}
