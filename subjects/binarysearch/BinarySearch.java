/** Binary search, and the mean of two indices that overflows in large arrays. */
public class BinarySearch {
    /** The mean as many wrote it for decades. */
    public static int mean(int low, int high) {
        return (low + high) / 2;
    }

    /** The mean as it should be. */
    public static int safeMean(int low, int high) {
        return low + (high - low) / 2;
    }

    /** The index of {@code key} in a sorted array, or {@code -1 - place} for where it would be. */
    public static int search(int[] sorted, int key) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = mean(low, high);
            if (sorted[middle] < key) {
                low = middle + 1;
            } else if (sorted[middle] > key) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return -1 - low;
    }
}
