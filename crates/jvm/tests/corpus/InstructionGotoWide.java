/** A method of more than 32 KB: finally blocks are copied for each way out, so that the loop needs long jumps. */
public class InstructionGotoWide {
    static int[] values = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};

    static int run(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 7 == 3) {
                continue;
            }
            try {
                sum += values[i % 11] * 12;
            } finally {
                try {
                    sum += values[i % 10] * 11;
                } finally {
                    try {
                        sum += values[i % 9] * 10;
                    } finally {
                        try {
                            sum += values[i % 8] * 9;
                        } finally {
                            try {
                                sum += values[i % 7] * 8;
                            } finally {
                                try {
                                    sum += values[i % 6] * 7;
                                } finally {
                                    try {
                                        sum += values[i % 5] * 6;
                                    } finally {
                                        try {
                                            sum += values[i % 4] * 5;
                                        } finally {
                                            try {
                                                sum += values[i % 3] * 4;
                                            } finally {
                                                try {
                                                    sum += values[i % 2] * 3;
                                                } finally {
                                                    sum = sum * 31 + i + values[i % 3];
                                                }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            if (sum == 42) {
                break;
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(run(1));
        System.out.println(run(20));
        values = new int[] {1, 2};
        try {
            System.out.println(run(20));
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
    }
}
